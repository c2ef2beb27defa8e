// expect: pass
/* Functions without a body: contracts that only allocate or only consume are enough to run them. */

struct buffer { unsigned used; unsigned char bytes[12]; };

extern struct buffer *buffer_new(void);
/*@ spec buffer_new();
    requires true;
    ensures take B = W<struct buffer>(return); @*/

extern void buffer_drop(struct buffer *b);
/*@ spec buffer_drop(pointer b);
    requires take B = W<struct buffer>(b);
    ensures true; @*/

unsigned once(unsigned char byte)
/*@ ensures return == (u32) byte + 1u32; @*/
{
    struct buffer *b = buffer_new();
    b->used = 1;
    b->bytes[0] = byte;
    unsigned answer = b->used + b->bytes[0];
    buffer_drop(b);
    return answer;
}
