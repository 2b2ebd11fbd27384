import { attributeOf, tagsOf } from './xml';

/** What a paragraph says of its number and level, itself or by its style (ECMA-376, part 1, 17.3.1.19 and 17.3.1.20). */
export interface NumberProperties {
  numId?: string | undefined;
  /** From 0. */
  level?: number | undefined;
  /** From 0; 9 is text. */
  outline?: number | undefined;
}

interface Style extends NumberProperties {
  name: string;
  basedOn?: string | undefined;
}

/** Styles are based on each other, at most so far. */
const DEEPEST = 12;

/** The styles of paragraphs and of numbering (17.7.4). */
export class Styles {
  private readonly styles = new Map<string, Style>();
  private normal: string | undefined;

  constructor(xml: string) {
    let style: Style | undefined;
    for (const tag of tagsOf(xml)) {
      const value = () => attributeOf(xml, tag, 'val');
      if (tag.name === 'w:style') {
        style = undefined;
        const id = attributeOf(xml, tag, 'styleId');
        if (tag.isEnd || !id || this.styles.has(id)) continue;
        const type = attributeOf(xml, tag, 'type') ?? 'paragraph';
        if (type !== 'paragraph' && type !== 'numbering') continue;
        style = { name: '' };
        this.styles.set(id, style);
        if (type === 'paragraph' && /^(1|true|on)$/.test(attributeOf(xml, tag, 'default') ?? '')) this.normal ??= id;
      } else if (!style || tag.isEnd) {
      } else if (tag.name === 'w:name') style.name = value() ?? '';
      else if (tag.name === 'w:basedOn') style.basedOn = value();
      else if (tag.name === 'w:numId') style.numId = value();
      else if (tag.name === 'w:ilvl') style.level = levelOf(value());
      else if (tag.name === 'w:outlineLvl') style.outline = levelOf(value());
    }
  }

  nameOf(id: string | undefined): string {
    return this.styles.get(id ?? this.normal ?? '')?.name ?? '';
  }

  /** What holds for a style, its own or what it is based on, with the style that names the numbering. */
  propertiesOf(id: string | undefined): NumberProperties & { numberedBy?: string | undefined } {
    const found: NumberProperties & { numberedBy?: string | undefined } = {};
    let each = id ?? this.normal;
    for (let depth = 0; each !== undefined && depth < DEEPEST; depth++) {
      const style: Style | undefined = this.styles.get(each);
      if (!style) break;
      if (found.numId === undefined && style.numId !== undefined) {
        found.numId = style.numId;
        found.numberedBy = each;
      }
      found.level ??= style.level;
      found.outline ??= style.outline;
      each = style.basedOn;
    }
    return found;
  }
}

/** 0 to 9; undefined for what is none. */
export function levelOf(value: string | undefined): number | undefined {
  return value !== undefined && /^\d$/.test(value.trim()) ? Number(value) : undefined;
}
