/** The formats of one language, kept because creating them takes far longer than using them. */
interface Formats {
  relative: Intl.RelativeTimeFormat;
  day: Intl.DateTimeFormat;
  dayOfYear: Intl.DateTimeFormat;
}

const formats = new Map<string, Formats>();

function formatsOf(locale: string): Formats {
  const known = formats.get(locale) ?? {
    relative: new Intl.RelativeTimeFormat(locale, { style: 'short', numeric: 'auto' }),
    day: new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }),
    dayOfYear: new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric' }),
  };
  formats.set(locale, known);
  return known;
}

/** The number of days from which a time is shown as a date, and not as “yesterday” or “3 days ago”. */
const RELATIVE_DAYS = 7;

/**
 * A time in as few words as possible: “5 min. ago”, “yesterday”, or a date. `activeAt`, `now`: in milliseconds since the
 * epoch. An `activeAt` that is not a valid time counts as the epoch.
 */
export function activityTime(activeAt: number, now: number, locale: string): string {
  const time = Number.isNaN(new Date(activeAt).getTime()) ? 0 : activeAt;
  const { relative, day, dayOfYear } = formatsOf(locale);
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) return relative.format(0, 'second');
  if (minutes < 60) return relative.format(-minutes, 'minute');
  const days = Math.round((startOfDay(now) - startOfDay(time)) / 86_400_000);
  if (days === 0) return relative.format(-Math.floor(minutes / 60), 'hour');
  if (days < RELATIVE_DAYS) return relative.format(-days, 'day');
  const isThisYear = new Date(now).getFullYear() === new Date(time).getFullYear();
  return (isThisYear ? day : dayOfYear).format(time);
}

const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
