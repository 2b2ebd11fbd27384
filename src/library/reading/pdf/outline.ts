import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import { READING_LIMITS } from '../limits';
import { cleanTitle } from '../plain-lines';

/** An entry of the outline, with where it leads. */
export interface OutlineEntry {
  title: string;
  /** From 1. */
  depth: number;
  /** From 1. */
  page: number;
  /** Points upward from the page's lower edge, where it says so. */
  top?: number | undefined;
}

interface Node {
  title: string;
  dest: string | unknown[] | null;
  items: Node[];
}

/** The document's outline in its order, as far as its entries lead to pages of it. Empty where it has none or is damaged. */
export async function readOutline(pdf: PDFDocumentProxy): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  const pages = new Map<string, number>();
  const visit = async (nodes: readonly Node[], depth: number): Promise<void> => {
    for (const node of nodes) {
      if (entries.length >= READING_LIMITS.outlineEntries) return;
      const title = cleanTitle(node.title, READING_LIMITS.title);
      const target = await targetOf(pdf, node.dest, pages);
      if (title && target) entries.push({ title, depth, ...target });
      if (depth < READING_LIMITS.outlineDepth) await visit(node.items, depth + 1);
    }
  };
  try {
    await visit(((await pdf.getOutline()) ?? []) as unknown as Node[], 1);
  } catch {
    return [];
  }
  return entries;
}

async function targetOf(
  pdf: PDFDocumentProxy,
  destination: Node['dest'],
  pages: Map<string, number>,
): Promise<{ page: number; top?: number | undefined } | undefined> {
  try {
    const target = typeof destination === 'string' ? await pdf.getDestination(destination) : destination;
    const [page, kind, ...places] = (target ?? []) as unknown[];
    const number = await pageOf(pdf, page, pages);
    if (number === undefined) return undefined;
    const name = (kind as { name?: string } | undefined)?.name;
    const top = name === 'XYZ' ? places[1] : name === 'FitH' || name === 'FitBH' ? places[0] : undefined;
    return { page: number, top: typeof top === 'number' ? top : undefined };
  } catch {
    return undefined;
  }
}

async function pageOf(pdf: PDFDocumentProxy, page: unknown, pages: Map<string, number>): Promise<number | undefined> {
  if (typeof page === 'number') return page >= 0 && page < pdf.numPages ? page + 1 : undefined;
  if (typeof page !== 'object' || page === null) return undefined;
  const key = JSON.stringify(page);
  const known = pages.get(key);
  if (known !== undefined) return known;
  const number = (await pdf.getPageIndex(page as never)) + 1;
  pages.set(key, number);
  return number;
}
