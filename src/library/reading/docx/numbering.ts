import { written } from '../numbers';
import { levelOf, type NumberProperties, type Styles } from './styles';
import { attributeOf, type Tag, tagsOf } from './xml';

/** One level of a list (ECMA-376, part 1, 17.9.6). */
interface Level {
  start: number;
  format: string;
  /** `%1.%2`, with its entities. */
  text: string;
  /** After which level, from 1, it begins again; 0 for never, undefined for any above it. */
  restart?: number | undefined;
  /** Digits whatever the levels above are written in. */
  isLegal: boolean;
  style?: string | undefined;
}

/** What several lists have in common; they count on together (17.9.1). */
interface Definition {
  levels: Map<number, Level>;
  numStyleLink?: string | undefined;
}

/** A list (17.9.15), with what it says otherwise. */
interface List {
  definition: string;
  levels: Map<number, Level>;
  starts: Map<number, number>;
}

/** A number as it stands in front of a paragraph. */
export interface NumberLabel {
  /** With entities, as XML has it; '' for a bullet. */
  text: string;
  /** `clause`: numbers of its outer levels in it, or a word: it is cited by it. */
  kind: 'clause' | 'item' | 'bullet';
  /** Among the items of its list, from 0; clauses around them do not count. */
  depth: number;
}

const LEVELS = 9;
const LONGEST = 120;
const LINKS = 8;
const MOST = 100_000;

/** Counts a document's numbers (17.9): asked for each paragraph in order, once. */
export class Numbering {
  private readonly definitions = new Map<string, Definition>();
  private readonly lists = new Map<string, List>();
  private readonly counters = new Map<string, (number | undefined)[]>();
  /** Lists of which a level with a start of its own was counted. */
  private readonly started = new Set<string>();

  constructor(
    xml: string,
    private readonly styles: Styles,
  ) {
    const reading: { definition?: Definition; list?: List; level?: Level; override?: number | undefined } = {};
    for (const tag of tagsOf(xml)) this.read(xml, tag, reading);
  }

  /** The number of a paragraph of this style, by what it says itself; undefined where it has none. Counts it. */
  next(style: string | undefined, own: NumberProperties): NumberLabel | undefined {
    const by = this.styles.propertiesOf(style);
    const numId = own.numId ?? by.numId;
    if (numId === undefined) return undefined;
    const found = this.resolve(numId);
    if (!found) return undefined;
    const { list, definition, key } = found;
    const levelAt = (at: number) => list.levels.get(at) ?? definition.levels.get(at);
    const named =
      own.numId === undefined
        ? [style, by.numberedBy].map((id) => levelOfStyle(id, levelAt)).find(isNumber)
        : undefined;
    const at = Math.min(LEVELS - 1, own.level ?? named ?? (own.numId === undefined ? by.level : undefined) ?? 0);
    const level = levelAt(at);
    if (!level) return undefined;
    this.count(at, level, key, numId, list, levelAt);
    if (level.format === 'bullet') return { text: '', kind: 'bullet', depth: depthOf(at, levelAt) };
    const text = this.labelOf(level, key, levelAt);
    if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
    return { text, kind: isClause(at, levelAt) ? 'clause' : 'item', depth: depthOf(at, levelAt) };
  }

  private read(
    xml: string,
    tag: Tag,
    reading: { definition?: Definition; list?: List; level?: Level; override?: number | undefined },
  ): void {
    if (tag.isEnd) {
      if (tag.name === 'w:lvlOverride') reading.override = undefined;
      return;
    }
    const value = () => attributeOf(xml, tag, 'val');
    const { level } = reading;
    switch (tag.name) {
      case 'w:abstractNum': {
        reading.definition = { levels: new Map() };
        delete reading.list;
        delete reading.level;
        this.definitions.set(attributeOf(xml, tag, 'abstractNumId') ?? '', reading.definition);
        break;
      }
      case 'w:num': {
        reading.list = { definition: '', levels: new Map(), starts: new Map() };
        delete reading.definition;
        delete reading.level;
        this.lists.set(attributeOf(xml, tag, 'numId') ?? '', reading.list);
        break;
      }
      case 'w:abstractNumId':
        if (reading.list) reading.list.definition = value() ?? '';
        break;
      case 'w:numStyleLink':
        if (reading.definition) reading.definition.numStyleLink = value();
        break;
      case 'w:lvlOverride':
        reading.override = levelOf(attributeOf(xml, tag, 'ilvl'));
        break;
      case 'w:startOverride':
        if (reading.list && reading.override !== undefined)
          reading.list.starts.set(reading.override, numberOf(value()));
        break;
      case 'w:lvl': {
        reading.level = { start: 0, format: 'decimal', text: '', isLegal: false };
        const at = levelOf(attributeOf(xml, tag, 'ilvl')) ?? 0;
        (reading.list ?? reading.definition)?.levels.set(at, reading.level);
        break;
      }
      case 'w:start':
        if (level) level.start = numberOf(value());
        break;
      case 'w:numFmt':
        if (level) level.format = value() ?? 'decimal';
        break;
      case 'w:lvlText':
        if (level) level.text = cut(value() ?? '');
        break;
      case 'w:lvlRestart':
        if (level) level.restart = levelOf(value());
        break;
      case 'w:isLgl':
        if (level) level.isLegal = !/^(0|false|off)$/.test(value() ?? '');
        break;
      case 'w:pStyle':
        if (level) level.style = value();
        break;
    }
  }

  /** Over the style that a definition is kept in (17.9.21). */
  private resolve(numId: string): { list: List; definition: Definition; key: string } | undefined {
    let each: string | undefined = numId;
    for (let link = 0; each !== undefined && link < LINKS; link++) {
      const list: List | undefined = this.lists.get(each);
      const definition: Definition | undefined = list && this.definitions.get(list.definition);
      if (!list || !definition) return undefined;
      if (definition.numStyleLink === undefined || definition.levels.size > 0) {
        // What the list itself says otherwise stays.
        return { list: this.lists.get(numId)!, definition, key: list.definition };
      }
      each = this.styles.propertiesOf(definition.numStyleLink).numId;
    }
    return undefined;
  }

  private count(
    at: number,
    level: Level,
    key: string,
    numId: string,
    list: List,
    levelAt: (at: number) => Level | undefined,
  ): void {
    const counters = this.counters.get(key) ?? [];
    this.counters.set(key, counters);
    // A level that was left out counts as begun.
    for (let above = 0; above < at; above++) counters[above] ??= levelAt(above)?.start ?? 1;
    const own = list.starts.get(at);
    const once = `${numId} ${at}`;
    if (own !== undefined && !this.started.has(once)) {
      this.started.add(once);
      counters[at] = own;
    } else counters[at] = Math.min(MOST, counters[at] === undefined ? level.start : counters[at] + 1);
    for (let below = at + 1; below < LEVELS; below++) {
      const restart = levelAt(below)?.restart;
      if (restart === undefined || (restart > 0 && at < restart)) counters[below] = undefined;
    }
  }

  private labelOf(level: Level, key: string, levelAt: (at: number) => Level | undefined): string {
    const counters = this.counters.get(key)!;
    return level.text
      .replace(/%([1-9])/g, (_all, digit: string) => {
        const at = Number(digit) - 1;
        const { start = 1, format = 'decimal' } = levelAt(at) ?? {};
        const isOther = level.isLegal && !format.startsWith('decimal');
        return written(counters[at] ?? start, isOther ? 'decimal' : format);
      })
      .trim();
  }
}

/** Numbers of several levels, or a word beside the number; and what is the outer number of such a level. */
function isClause(at: number, levelAt: (at: number) => Level | undefined): boolean {
  const level = levelAt(at);
  if (!level || level.format === 'bullet') return false;
  if (isCited(level.text)) return true;
  const below = levelAt(at + 1);
  return below !== undefined && below.format !== 'bullet' && placesOf(below.text).includes(at) && isCited(below.text);
}

function isCited(text: string): boolean {
  return placesOf(text).length > 1 || /\p{L}{3}|§/u.test(text.replace(/&\w+;/g, ''));
}

function placesOf(text: string): number[] {
  return [...text.matchAll(/%([1-9])/g)].map(([, digit]) => Number(digit) - 1);
}

function depthOf(at: number, levelAt: (at: number) => Level | undefined): number {
  let depth = 0;
  for (let above = 0; above < at; above++) if (!isClause(above, levelAt)) depth++;
  return depth;
}

function levelOfStyle(id: string | undefined, levelAt: (at: number) => Level | undefined): number | undefined {
  if (id === undefined) return undefined;
  for (let at = 0; at < LEVELS; at++) if (levelAt(at)?.style === id) return at;
  return undefined;
}

/** Not within an entity or a character. */
function cut(text: string): string {
  return text.length <= LONGEST ? text : text.slice(0, LONGEST).replace(/(?:&[^;]*|[\uD800-\uDBFF])$/, '');
}

function isNumber(value: number | undefined): value is number {
  return value !== undefined;
}

function numberOf(value: string | undefined): number {
  return value !== undefined && /^\d{1,5}$/.test(value) ? Number(value) : 0;
}
