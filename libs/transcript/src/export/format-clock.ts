interface ClockTime {
  hours: string;
  minutes: string;
  seconds: string;
  millis: string;
}

/** `HH:MM:SS`, rounded down; hours may have more than two digits. */
export function formatSecondsAsClock(seconds: number): string {
  const time = splitClockTime(Math.floor(seconds) * 1000);
  return `${time.hours}:${time.minutes}:${time.seconds}`;
}

/** @param separator `,` in SRT, `.` in WebVTT */
export function formatMillisecondsAsClock(millis: number, separator: ',' | '.'): string {
  const time = splitClockTime(millis);
  return `${time.hours}:${time.minutes}:${time.seconds}${separator}${time.millis}`;
}

function splitClockTime(millis: number): ClockTime {
  const pad = (value: number, digits: number): string => String(Math.floor(value)).padStart(digits, '0');
  return {
    hours: pad(millis / 3_600_000, 2),
    minutes: pad((millis / 60_000) % 60, 2),
    seconds: pad((millis / 1000) % 60, 2),
    millis: pad(millis % 1000, 3),
  };
}
