/** The formats of one language. Creating them takes far longer than using them. */
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

/** The number of days before today for which a time is relative, and not a date. */
const RELATIVE_DAYS = 7;

/**
 * When something happened, as briefly as possible: “5 min. ago”, “yesterday”, or a date. Times: in milliseconds. A time
 * that no date has counts as the epoch.
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
