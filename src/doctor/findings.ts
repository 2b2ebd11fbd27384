import type { Sentence } from '../core/sentence';
import type { DoctorArea, DoctorFinding } from './model';

/** The findings of one area, with its name filled in. */
export class Area {
  constructor(private readonly area: DoctorArea) {}

  ok(code: string, message: Sentence): DoctorFinding {
    return { area: this.area, code, level: 'ok', message };
  }

  note(code: string, message: Sentence, mend?: DoctorFinding['mend']): DoctorFinding {
    return this.found('note', code, message, mend);
  }

  problem(code: string, message: Sentence, mend?: DoctorFinding['mend']): DoctorFinding {
    return this.found('problem', code, message, mend);
  }

  private found(
    level: DoctorFinding['level'],
    code: string,
    message: Sentence,
    mend: DoctorFinding['mend'],
  ): DoctorFinding {
    return { area: this.area, code, level, message, ...(mend ? { mend } : {}) };
  }
}

/** `12 kB`, `3.4 MB`; units of 1000. */
export function bytes(count: number): string {
  const [unit, size] = count < 1e6 ? ['kB', count / 1e3] : count < 1e9 ? ['MB', count / 1e6] : ['GB', count / 1e9];
  return `${size < 10 ? Math.ceil(size * 10) / 10 : Math.round(size)} ${unit}`;
}
