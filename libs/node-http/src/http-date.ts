let text = '';
let until = 0;

/** The time for a header `Date`, made once a second. */
export function httpDate(now = Date.now()): string {
  if (now >= until || now < until - 1_000) {
    text = new Date(now).toUTCString();
    until = Math.floor(now / 1_000) * 1_000 + 1_000;
  }
  return text;
}
