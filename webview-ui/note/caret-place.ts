/** Where a place in a text area is, in its own pixels: a copy of it that is laid out the same tells. */
export function caretPlace(field: HTMLTextAreaElement, offset: number): { top: number; left: number; line: number } {
  const style = getComputedStyle(field);
  const copy = document.createElement('div');
  const copied = [
    'boxSizing',
    'fontFamily',
    'fontSize',
    'fontWeight',
    'letterSpacing',
    'lineHeight',
    'paddingTop',
    'paddingRight',
    'paddingBottom',
    'paddingLeft',
    'borderTopWidth',
    'borderLeftWidth',
    'borderRightWidth',
    'tabSize',
  ] as const;
  for (const name of copied) copy.style[name] = style[name];
  Object.assign(copy.style, {
    position: 'absolute',
    visibility: 'hidden',
    top: '0',
    width: `${field.clientWidth}px`,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
  });
  copy.textContent = field.value.slice(0, offset);
  const mark = document.createElement('span');
  mark.textContent = '\u200b';
  copy.append(mark);
  field.parentElement!.append(copy);
  const line = Number.parseFloat(style.lineHeight) || mark.offsetHeight;
  const place = { top: mark.offsetTop - field.scrollTop, left: mark.offsetLeft, line };
  copy.remove();
  return place;
}
