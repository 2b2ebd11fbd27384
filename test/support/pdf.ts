/** A piece of text on a page: points from the page's lower left corner. */
export interface PdfText {
  text: string;
  x: number;
  y: number;
  size?: number;
  font?: 'Helvetica' | 'Helvetica-Bold' | 'Courier';
  /** Degrees, counter-clockwise. */
  turned?: number;
}

const FONTS = ['Helvetica', 'Helvetica-Bold', 'Courier'] as const;

/** A PDF (1.7) of A4 pages with these texts in the fonts that every reader has: Latin-1 only. */
export function pdfOf(pages: readonly (readonly PdfText[])[]): Buffer {
  const objects: string[] = ['<< /Type /Catalog /Pages 2 0 R >>', ''];
  for (const font of FONTS) {
    objects.push(`<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`);
  }
  const fonts = FONTS.map((_, index) => `/F${index} ${index + 3} 0 R`).join(' ');
  const kids: string[] = [];
  for (const texts of pages) {
    const content = texts.map(shown).join('\n');
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << ${fonts} >> >> /Contents ${objects.length} 0 R >>`,
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = `<< /Type /Pages /Count ${pages.length} /Kids [${kids.join(' ')}] >>`;
  return fileOf(objects);
}

/**
 * A page with texts in a font that is not embedded and says its characters by a predefined map (PDF 1.7, 9.7.5.2): `codes`
 * are its lines in hexadecimal. `beside` stands on the page too, in Helvetica.
 */
export function pdfWithMap(
  encoding: string,
  ordering: string,
  codes: readonly string[],
  beside: readonly PdfText[],
): Buffer {
  const lines = codes.map((code, index) => `BT /F9 12 Tf 1 0 0 1 60 ${400 - 20 * index} Tm <${code}> Tj ET`);
  const content = [...beside.map(shown), ...lines].join('\n');
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F0 5 0 R /F9 6 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /${encoding} /DescendantFonts [7 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor 8 0 R /DW 1000 >>`,
    '<< /Type /FontDescriptor /FontName /Song /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ]);
}

function fileOf(objects: readonly string[]): Buffer {
  const parts = ['%PDF-1.7\n'];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const part = `${index + 1} 0 obj\n${object}\nendobj\n`;
    parts.push(part);
    length += part.length;
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`);
  parts.push(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`);
  return Buffer.from(parts.join(''), 'latin1');
}

function shown({ text, x, y, size = 10, font = 'Helvetica', turned = 0 }: PdfText): string {
  const [cos, sin] = [Math.cos((turned * Math.PI) / 180), Math.sin((turned * Math.PI) / 180)];
  const matrix = [cos, sin, -sin, cos, x, y].map((value) => value.toFixed(3)).join(' ');
  return `BT /F${FONTS.indexOf(font)} ${size} Tf ${matrix} Tm (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`;
}

/** Lines below each other, from `y` downward. */
export function linesOf(
  lines: readonly string[],
  { x = 60, y = 760, leading = 12, ...more }: Partial<PdfText> & { leading?: number } = {},
): PdfText[] {
  return lines.map((text, index) => ({ ...more, text, x, y: y - index * leading }));
}
