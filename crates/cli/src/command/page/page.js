// Adds steps beyond those that are in the page, and lets j and k walk along them. Everything is set as text.
for (const more of document.querySelectorAll('button[data-steps]')) {
  const list = document.getElementById(more.dataset.list);
  let steps, at = 0;
  const add = () => {
    steps ??= JSON.parse(document.getElementById(more.dataset.steps).textContent);
    const part = document.createDocumentFragment();
    for (const end = Math.min(at + 1000, steps.length); at < end; at++) {
      const [n, call, answer, states] = steps[at];
      const item = document.createElement('li');
      item.tabIndex = -1;
      const span = (kind, text) => { const s = document.createElement('span'); s.className = kind; s.textContent = text; item.append(s); };
      span('n', n + '.'); span('call', call);
      if (answer) span('answer', ' \u2192 ' + answer);
      for (const [name, text, changed] of states) {
        const line = document.createElement('div'), label = document.createElement('b'), value = document.createElement('code');
        line.className = 'state'; label.textContent = name + ' '; value.textContent = text;
        if (changed) value.className = 'changed';
        line.append(label, value); item.append(line);
      }
      part.append(item);
    }
    list.append(part);
    more.hidden = at >= steps.length;
    more.textContent = `show more of ${steps.length - at} further steps`;
  };
  more.addEventListener('click', add);
}
document.addEventListener('keydown', (event) => {
  if (event.target.closest('input, textarea') || event.ctrlKey || event.metaKey || event.altKey) return;
  const by = { j: 1, k: -1 }[event.key];
  if (!by) return;
  const all = [...document.querySelectorAll('ol.steps > li')];
  const next = all[Math.max(0, Math.min(all.length - 1, all.indexOf(document.activeElement) + by))];
  if (next) { next.focus(); next.scrollIntoView({ block: 'nearest' }); }
});
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.addEventListener('click', () => {
    navigator.clipboard?.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = 'copied';
  });
}
