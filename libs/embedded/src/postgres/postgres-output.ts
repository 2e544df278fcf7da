/** Severities with which PostgreSQL ends, or a process of it (errcodes and severities: "Reporting and Logging" of its manual). */
const SAYS_WHY = /\b(?:FATAL|PANIC): /;
/** What a client was answered that came too early: its own end, not that of the server. */
const REFUSES = /\bFATAL: +the database system is (?:starting up|not yet accepting|in recovery|shutting down)/;
/** What explains the line before it. */
const EXPLAINS = /\b(?:DETAIL|HINT|CONTEXT|STATEMENT|QUERY|LOCATION): /;

/** What may have been written long before the end. */
const SAYS_OTHER = /\b(?:LOG|WARNING|ERROR): /;

/**
 * The line of a log that says why the server has ended: explanations and the shutdown of its other processes follow it. Where
 * none does, `how` it has ended ("exit code 1"), with the last line.
 */
export function reasonInLog(output: string, how: string): string {
  const lines = output.trim().split('\n');
  const reason = lines.findLast((line) => SAYS_WHY.test(line) && !REFUSES.test(line));
  if (reason !== undefined) return withoutPrefix(reason);
  const last = withoutPrefix(lines.findLast((line) => !EXPLAINS.test(line)) ?? '');
  if (last === '') return how;
  return SAYS_OTHER.test(last) ? `${how}, last line: ${last}` : last;
}

/** Without time and process id. */
function withoutPrefix(line: string): string {
  return line.replace(/^.*?\b(?=(?:FATAL|PANIC|LOG|WARNING|ERROR): )/, '').trim();
}
