//! A red-black tree: what objects are found by.
//!
//! Insertion after Okasaki ("Red-black trees in a functional setting", 1999): a red node with a red child is
//! turned, on the way up, into a red node with two black ones.

/// A map from keys to values.
#[derive(Clone, Debug)]
pub struct Tree<K, V> {
    root: Link<K, V>,
    len: usize,
}

type Link<K, V> = Option<Box<Node<K, V>>>;

#[derive(Clone, Debug)]
struct Node<K, V> {
    is_red: bool,
    left: Link<K, V>,
    key: K,
    value: V,
    right: Link<K, V>,
}

impl<K, V> Default for Tree<K, V> {
    fn default() -> Self {
        Tree { root: None, len: 0 }
    }
}

impl<K: Ord, V> Tree<K, V> {
    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&V> {
        let mut link = &self.root;
        while let Some(node) = link {
            link = match key.cmp(&node.key) {
                std::cmp::Ordering::Equal => return Some(&node.value),
                std::cmp::Ordering::Less => &node.left,
                std::cmp::Ordering::Greater => &node.right,
            };
        }
        None
    }

    /// Gives a key a value; answers the one it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let (mut root, old) = inserted(self.root.take(), key, value);
        root.is_red = false;
        self.root = Some(root);
        self.len += usize::from(old.is_none());
        old
    }

    /// How many keys there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All keys and values, in order.
    #[must_use]
    pub fn entries(&self) -> Vec<(&K, &V)> {
        let mut all = Vec::new();
        let mut open: Vec<&Node<K, V>> = Vec::new();
        let mut link = &self.root;
        loop {
            while let Some(node) = link {
                open.push(node);
                link = &node.left;
            }
            let Some(node) = open.pop() else { return all };
            all.push((&node.key, &node.value));
            link = &node.right;
        }
    }

    /// Whether no red node has a red child and every way down has as many black ones.
    #[must_use]
    pub fn is_balanced(&self) -> bool {
        n_black(&self.root, false).is_some()
    }
}

fn n_black<K, V>(link: &Link<K, V>, is_below_red: bool) -> Option<usize> {
    let Some(node) = link else { return Some(0) };
    if node.is_red && is_below_red {
        return None;
    }
    let (left, right) = (n_black(&node.left, node.is_red)?, n_black(&node.right, node.is_red)?);
    (left == right).then_some(left + usize::from(!node.is_red))
}

fn inserted<K: Ord, V>(link: Link<K, V>, key: K, value: V) -> (Box<Node<K, V>>, Option<V>) {
    let Some(mut node) = link else {
        return (Box::new(Node { is_red: true, left: None, key, value, right: None }), None);
    };
    match key.cmp(&node.key) {
        std::cmp::Ordering::Equal => {
            let old = std::mem::replace(&mut node.value, value);
            (node, Some(old))
        }
        std::cmp::Ordering::Less => {
            let (left, old) = inserted(node.left.take(), key, value);
            node.left = Some(left);
            (balanced(node), old)
        }
        std::cmp::Ordering::Greater => {
            let (right, old) = inserted(node.right.take(), key, value);
            node.right = Some(right);
            (balanced(node), old)
        }
    }
}

const fn is_red<K, V>(link: &Link<K, V>) -> bool {
    matches!(link, Some(node) if node.is_red)
}

/// A black node with two red ones below each other becomes a red node with two black ones.
fn balanced<K, V>(mut node: Box<Node<K, V>>) -> Box<Node<K, V>> {
    if node.is_red {
        return node;
    }
    if let Some(mut left) = node.left.take_if(|left| left.is_red) {
        if is_red(&left.left) {
            node.left = left.right.take();
            return over(left.left.take(), left, node);
        }
        if let Some(mut middle) = left.right.take_if(|middle| middle.is_red) {
            left.right = middle.left.take();
            node.left = middle.right.take();
            return over(Some(left), middle, node);
        }
        node.left = Some(left);
    }
    if let Some(mut right) = node.right.take_if(|right| right.is_red) {
        if let Some(mut middle) = right.left.take_if(|middle| middle.is_red) {
            node.right = middle.left.take();
            right.left = middle.right.take();
            return over(Some(node), middle, right);
        }
        if is_red(&right.right) {
            node.right = right.left.take();
            let top = right.right.take();
            return match top {
                Some(last) => over(Some(node), right, last),
                None => right,
            };
        }
        node.right = Some(right);
    }
    node
}

/// A red node over two black ones.
fn over<K, V>(left: Link<K, V>, mut top: Box<Node<K, V>>, mut right: Box<Node<K, V>>) -> Box<Node<K, V>> {
    top.is_red = true;
    top.left = left.map(|mut left| {
        left.is_red = false;
        left
    });
    right.is_red = false;
    top.right = Some(right);
    top
}
