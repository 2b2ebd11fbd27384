import { type DomDocument, type DomElement, type DomNode, isElement } from '../html/dom';
import { ITEM_LABEL } from '../html/to-markdown';

/** Of the elements that hold a paragraph's number. */
export const NUMBER_CLASS = 'kaizen-number';

/** Puts numbers where they are read: in front of headings and clauses as text, in lists as the numbers of their items. */
export function placeNumbers(document: DomDocument): void {
  for (const number of [...document.querySelectorAll(`span.${NUMBER_CLASS}`)]) {
    const label = number.textContent.trim();
    const item = number.parentNode;
    const isItem = item !== null && isElement(item) && item.nodeName === 'LI';
    const digits = /^\d{1,9}(?=[.)]?$)/.exec(label)?.[0];
    if (isItem && digits !== undefined) {
      item.setAttribute('value', digits);
      number.remove();
    } else {
      if (isItem) item.setAttribute(ITEM_LABEL, '');
      number.replaceWith(`${label} `);
    }
  }
}

/**
 * Puts footnotes and endnotes below the paragraph, the list or the table that refers to them, with its mark in front: at the
 * document's end, where they come from, they would be of another section.
 */
export function placeNotes(document: DomDocument): void {
  const references = new Map<string, DomElement>();
  for (const each of [...document.querySelectorAll('a[href^="#footnote-"], a[href^="#endnote-"]')]) {
    const id = each.getAttribute('href')!.slice(1);
    if (!references.has(id)) references.set(id, each);
  }
  /** Behind what the next note of a block goes. */
  const last = new Map<DomNode, DomNode>();
  for (const note of [
    ...document.querySelectorAll('body > ol > li[id^="footnote-"], body > ol > li[id^="endnote-"]'),
  ]) {
    const reference = references.get(note.getAttribute('id')!);
    const block = reference && blockOf(reference, document);
    if (!reference || !block) continue;
    for (const back of [...note.querySelectorAll('a[href^="#footnote-ref-"], a[href^="#endnote-ref-"]')]) back.remove();
    if (note.textContent.trim() !== '') {
      const [first] = [...note.querySelectorAll('p')];
      (first ?? note).insertBefore(
        document.createTextNode(`${reference.textContent.trim()} `),
        (first ?? note).firstChild,
      );
      const place = document.createElement('div');
      for (const child of [...note.childNodes]) place.insertBefore(child, null);
      document.body.insertBefore(place, (last.get(block) ?? block).nextSibling);
      last.set(block, place);
    }
    note.remove();
  }
}

function blockOf(element: DomElement, document: DomDocument): DomNode | undefined {
  let node: DomNode = element;
  while (node.parentNode && node.parentNode !== document.body) node = node.parentNode;
  return node.parentNode ? node : undefined;
}
