// The parts of the page by their ids, and what is done to any of them.

export const one = (id) => document.getElementById(id);

export function show(part, is_shown) {
  part.hidden = !is_shown;
}

/** Sets the text of a part, unless it stands there already: what announces itself is announced once. */
export function put(id, text) {
  const part = one(id);
  if (part.textContent !== text) part.textContent = text;
}

/** Enter sends a form of which the text has more lines; Shift and Enter begins a line. */
export function onEnter(form) {
  form.elements.text.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
}
