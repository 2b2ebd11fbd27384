import { zipOf } from './zip';

const MAIN = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const RELATED = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

/** The inside of the parts of a Word document, as Word has them: paragraphs and tables, styles, lists. */
export interface WordParts {
  body: readonly string[];
  styles?: readonly string[];
  numbering?: readonly string[];
}

/** A Word document with numbers that it has itself (ECMA-376, part 1): Word and LibreOffice open it. */
export function wordDocument({ body, styles = [], numbering = [] }: WordParts): Buffer {
  const part = (name: string, root: string, inside: readonly string[]) => ({
    name: `word/${name}.xml`,
    content: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:${root} ${MAIN}>${inside.join('')}</w:${root}>`,
  });
  const relationship = (kind: string, target: string) =>
    `<Relationship Id="r-${kind}" Type="${RELATED}/${kind}" Target="${target}"/>`;
  const relationships = (...all: string[]) => `<Relationships xmlns="${RELATIONSHIPS}">${all.join('')}</Relationships>`;
  const types = [
    ['document', 'document.main'],
    ['styles', 'styles'],
    ['numbering', 'numbering'],
  ].map(([name, kind]) => `<Override PartName="/word/${name}.xml" ContentType="${TYPE}.${kind}+xml"/>`);
  return zipOf([
    {
      name: '[Content_Types].xml',
      content: `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${types.join('')}</Types>`,
    },
    { name: '_rels/.rels', content: relationships(relationship('officeDocument', 'word/document.xml')) },
    {
      name: 'word/_rels/document.xml.rels',
      content: relationships(relationship('styles', 'styles.xml'), relationship('numbering', 'numbering.xml')),
    },
    part('document', 'document', ['<w:body>', ...body, '</w:body>']),
    part('styles', 'styles', styles),
    part('numbering', 'numbering', numbering),
  ]);
}

/** A paragraph; `properties` is what stands in its `w:pPr`. */
export function paragraph(text: string, properties = ''): string {
  const own = properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`;
  return `<w:p>${own}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export function styled(style: string): string {
  return `<w:pStyle w:val="${style}"/>`;
}

/** That a paragraph, or a style, is of a list; without a level, its style's or the first. */
export function numbered(list: number, level?: number): string {
  const at = level === undefined ? '' : `<w:ilvl w:val="${level}"/>`;
  return `<w:numPr>${at}<w:numId w:val="${list}"/></w:numPr>`;
}

export function style(id: string, name: string, more = ''): string {
  return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
}

/** Levels of a definition: format and text, with what else a level has. */
export function definition(
  id: number,
  ...levels: readonly (readonly [format: string, text: string, more?: string])[]
): string {
  const all = levels.map(
    ([format, text, more = ''], at) =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`,
  );
  return `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="multilevel"/>${all.join('')}</w:abstractNum>`;
}

export function list(id: number, definition: number, overrides = ''): string {
  return `<w:num w:numId="${id}"><w:abstractNumId w:val="${definition}"/>${overrides}</w:num>`;
}

/** A list's level that begins anew, at a number. */
export function startingAt(level: number, number: number): string {
  return `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${number}"/></w:lvlOverride>`;
}

/** A table of rows of cells. */
export function table(...rows: readonly (readonly string[])[]): string {
  return `<w:tbl><w:tblPr/>${rows.map((row) => `<w:tr>${row.join('')}</w:tr>`).join('')}</w:tbl>`;
}

/** `properties` is what stands in its `w:tcPr`. */
export function cell(text: string, properties = ''): string {
  return `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
}
