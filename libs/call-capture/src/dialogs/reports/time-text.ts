/** `2026-01-02T03:04:05.6789000Z`: seven digits, as senders write them. */
export function timeText(at: number): string {
  const whole = Math.floor(at);
  const ticks = Math.floor((at - whole) * 10_000);
  return `${new Date(whole).toISOString().slice(0, -1)}${String(ticks).padStart(4, '0')}Z`;
}
