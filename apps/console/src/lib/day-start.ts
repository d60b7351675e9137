/** Midnight of the day, or of one of the next days, in the time zone of the browser. */
export function toLocalDayStartIso(day: string, later: number): string | undefined {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const time = new Date(year, month - 1, date + later);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
