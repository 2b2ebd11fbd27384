/** Numbers and dates as the editor's language writes them. Days are `YYYY-MM-DD`, in UTC. */

const language = document.documentElement.lang || 'en';

const whole = new Intl.NumberFormat(language);
const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
const score = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const precise = new Intl.NumberFormat(language, { maximumFractionDigits: 6, useGrouping: false });
const shortDay = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const fullDay = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
const weekday = new Intl.DateTimeFormat(language, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const month = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' });
const monthOfYear = new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric', timeZone: 'UTC' });
const localDay = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
const localShortDay = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' });
const localTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
const hours = new Intl.NumberFormat(language, { style: 'unit', unit: 'hour', unitDisplay: 'short' });
const minutes = new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay: 'short' });

/** `12,345` */
export const formatNumber = (value: number): string => whole.format(value);
/** `65 %` of 0.65 */
export const formatPercent = (share: number): string => percent.format(share);
/** `0.86` */
export const formatScore = (share: number): string => score.format(share);
/** `0.857143`: enough to follow a sum by hand. */
export const formatPrecise = (value: number): string => precise.format(value);
/** `Feb 3` */
export const formatShortDay = (date: Date): string => shortDay.format(date);
/** `Feb 3, 2026` */
export const formatDay = (date: Date): string => fullDay.format(date);
/** `Tue, Feb 3, 2026` */
export const formatWeekday = (date: Date): string => weekday.format(date);
/** `Feb 2 – 8, 2026` */
export const formatDays = (from: Date, to: Date): string => fullDay.formatRange(from, to);
/** `Feb`, and with January its year. */
export const formatMonth = (date: Date): string => (date.getUTCMonth() === 0 ? monthOfYear : month).format(date);
/** The day of an ISO 8601 time, where the reader is. */
export const formatLocalDay = (iso: string): string => localDay.format(new Date(iso));
/** The same, without the year while it lasts. */
export function formatRecentDay(iso: string): string {
  const date = new Date(iso);
  return (date.getFullYear() === new Date().getFullYear() ? localShortDay : localDay).format(date);
}

export const formatLocalTime = (iso: string): string => localTime.format(new Date(iso));

/** `2 hr 20 min`, `45 min`, `3 hr` */
export function formatDuration(total: number): string {
  const parts = [
    ...(total >= 60 ? [hours.format(Math.floor(total / 60))] : []),
    ...(total % 60 > 0 || total === 0 ? [minutes.format(total % 60)] : []),
  ];
  return parts.join(' ');
}

/** The day's beginning, in UTC. */
export function dayOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}
