/**
 * The sum of all series of a metric; undefined if there is none. Of series with the same `subject`, only the largest counts: they
 * count the same messages of the bus.
 */
export function metricTotal(exposition: string, metric: string): number | undefined {
  const series = exposition
    .split('\n')
    .filter((line) => line.startsWith(`${metric} `) || line.startsWith(`${metric}{`));
  if (series.length === 0) return undefined;
  const bySubject = new Map<string, number>();
  for (const line of series) {
    const [, subject = line] = /[{,]subject="(\d{1,9})"/.exec(line) ?? [];
    bySubject.set(subject, Math.max(bySubject.get(subject) ?? 0, Number(line.slice(line.lastIndexOf(' ')))));
  }
  return [...bySubject.values()].reduce((sum, value) => sum + value, 0);
}
