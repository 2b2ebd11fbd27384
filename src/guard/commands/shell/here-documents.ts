import type { SimpleCommand } from './commands';

interface Announced {
  end: string;
  /** `<<-` */
  isIndented: boolean;
  of: SimpleCommand;
}

/** Texts that a line announces (`<<EOF`) and that stand behind it, line by line. */
export class HereDocuments {
  private announced: Announced[] = [];

  announce(end: string, isIndented: boolean, of: SimpleCommand): void {
    this.announced.push({ end, isIndented, of });
  }

  /** Gives them to their commands; `at` is where the next line begins. Returns where the one behind them does. */
  read(line: string, at: number): number {
    let next = at;
    for (const { end, isIndented, of } of this.announced) {
      const lines: string[] = [];
      while (next < line.length) {
        const lineBreak = line.indexOf('\n', next);
        const text = line.slice(next, lineBreak < 0 ? undefined : lineBreak).replace(/\r$/, '');
        next = lineBreak < 0 ? line.length : lineBreak + 1;
        if ((isIndented ? text.replace(/^\t+/, '') : text) === end) break;
        lines.push(text);
      }
      of.documents.push(lines.join('\n'));
    }
    this.announced = [];
    return next;
  }
}
