/* A queue whose `enqueue` does not look whether it is full: the planted bug of the header's example. */
struct queue { int items[64]; unsigned max, first, size; };

static inline void queue_init(struct queue *q, unsigned n) { q->max = n; q->first = q->size = 0; }
static inline void queue_free(struct queue *q) { q->size = 0; }
static inline void queue_enqueue(struct queue *q, int e) { q->items[(q->first + q->size++) % 64] = e; }
static inline unsigned queue_size(const struct queue *q) { return q->size; }
static inline unsigned queue_max_size(const struct queue *q) { return q->max; }
