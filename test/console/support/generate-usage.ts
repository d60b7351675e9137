const DAY_MS = 86_400_000;

/** Usage of a busy account, with a key whose name is `script`. */
export function generateUsage(from: string, days: number, script: string) {
  const first = Date.parse(`${from}T00:00:00Z`);
  const rows = Array.from({ length: days }, (_, day) =>
    Array.from({ length: 8 }, (_key, key) => ({
      day: new Date(first + day * DAY_MS).toISOString().slice(0, 10),
      key: key === 7 ? null : { id: `key${key}`, name: key === 6 ? script : `service ${key}` },
      kind: ['upload', 'multipart', 'url', 'stream'][key % 4],
      created: (day * 7 + key) % 11,
      completed: 1,
      failed: key % 3 === 0 ? 1 : 0,
      audio_seconds: 600 * ((day + key) % 9),
      credits: 600 * ((day + key) % 9),
    })),
  );
  return { from, days, rows: rows.flat() };
}
