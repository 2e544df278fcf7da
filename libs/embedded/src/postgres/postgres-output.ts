/** Severities with which PostgreSQL ends, or a process of it (errcodes and severities: "Reporting and Logging" of its manual). */
const SAYS_WHY = /\b(?:FATAL|PANIC): /;
/** What a client was answered that came too early: its own end, not that of the server. */
const REFUSES = /\bFATAL: +the database system is (?:starting up|not yet accepting|in recovery|shutting down)/;
/** What explains the line before it. */
const EXPLAINS = /\b(?:DETAIL|HINT|CONTEXT|STATEMENT|QUERY|LOCATION): /;

/** The line of a log that says why the server has ended: explanations and the shutdown of its other processes follow it. */
export function reasonInLog(output: string): string {
  const lines = output.trim().split('\n');
  const reason =
    lines.findLast((line) => SAYS_WHY.test(line) && !REFUSES.test(line)) ??
    lines.findLast((line) => !EXPLAINS.test(line)) ??
    '';
  return reason.replace(/^.*?\b(?=(?:FATAL|PANIC|LOG|ERROR): )/, '').trim();
}
