import { type Sentence, sentence } from '../core/sentence';
import { type Metaknowledge, RISK_LEVELS, type RiskLevel } from './model';
import { riskLevels } from './risk';

/** Metaknowledge that somebody may have meant to do what it does not, in words. */
export interface LabelNotice {
  key: string;
  message: Sentence;
}

/** What people call a risk where it is none; what else they call it is told by its value. */
const LEVELS: Readonly<Record<string, RiskLevel>> = {
  DANGER: 'DANGER',
  DANGERS: 'DANGER',
  WARNING: 'WARNING',
  WARNINGS: 'WARNING',
  WARN: 'WARNING',
  CAUTION: 'WARNING',
  'LAST TIME': 'LAST TIME',
  LASTTIME: 'LAST TIME',
};
const NAMES_A_LEVEL = /^(?:RISK|RISKS|RISK LEVEL|SEVERITY)$/;

/** The keys that say where a rule speaks. */
const PLACES: Readonly<Record<string, string>> = {
  'APPLIES TO': 'APPLIES_TO',
  APPLIESTO: 'APPLIES_TO',
  MATCHES: 'MATCHES',
};

/**
 * Labels that look like a risk, which only the content can have (seed 000, "Risk Indicator Conventions"), and those that
 * are nearly APPLIES_TO or MATCHES. A label whose risk the content has as well only repeats it.
 */
export function labelNotices(metaknowledge: Metaknowledge, content: string): LabelNotice[] {
  const stated = riskLevels(content);
  const notices: LabelNotice[] = [];
  for (const [key, value] of Object.entries(metaknowledge)) {
    const name = plain(key);
    const level = LEVELS[name] ?? (NAMES_A_LEVEL.test(name) ? levelNamed(value) : undefined);
    const meant = PLACES[name];
    if (level !== undefined && !stated.includes(level)) {
      const message = sentence(
        'The metaknowledge "{0}" warns nobody. A risk stands in the content, as in "{1}: …".',
        ...[key, level],
      );
      notices.push({ key, message });
    } else if (meant !== undefined && key !== meant && metaknowledge[meant] === undefined) {
      notices.push({ key, message: sentence('The metaknowledge "{0}" has no effect. The key is {1}.', key, meant) });
    }
  }
  return notices;
}

function levelNamed(value: string): RiskLevel | undefined {
  const name = plain(value);
  return RISK_LEVELS.find((level) => level === name);
}

/** `last-time:` as `LAST TIME` */
function plain(label: string): string {
  return label
    .toUpperCase()
    .replace(/[\s_:-]+/g, ' ')
    .trim();
}
