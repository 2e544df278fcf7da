/**
 * The values of a header that is a list (RFC 3261, 7.3.1): commas separate them, except in quotes and in angle brackets. A
 * quote or bracket that is not closed reaches to the end. Linear, of any length.
 */
export function separated(text: string, limit: number): readonly string[] {
  const found: string[] = [];
  let [from, quoted, bracketed] = [0, false, false];
  for (let at = 0; at < text.length && found.length < limit; at++) {
    const char = text[at];
    if (quoted && char === '\\') at++;
    else if (char === '"' && !bracketed) quoted = !quoted;
    else if (char === '<' && !quoted) bracketed = true;
    else if (char === '>' && !quoted) bracketed = false;
    else if (char === ',' && !quoted && !bracketed) {
      found.push(text.slice(from, at));
      from = at + 1;
    }
  }
  if (found.length < limit) found.push(text.slice(from));
  return found;
}
