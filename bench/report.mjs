// What all benchmarks write: Markdown tables, where and when they were measured, and their place in docs/performance.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

/** Markdown as the formatter expects it: words aligned left, numbers right. */
export function table([head, ...rows]) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`;
  const rule = widths.map((width, i) => (i ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  return [head, rule, ...rows].map(line).join('\n');
}

export function measuredOn() {
  const day = new Date().toISOString().slice(0, 10);
  const machine = `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'}`;
  return `As measured on ${day} with Node ${process.versions.node} on ${machine}.`;
}

/** Between the two marks of the page; the text around them is written by hand. */
export function writeReport(name, text) {
  const page = new URL('../docs/performance.md', import.meta.url);
  const marks = new RegExp(`(?<=<!-- ${name} -->)[^]*?(?=<!-- end -->)`);
  const before = readFileSync(page, 'utf8');
  if (!marks.test(before)) throw new Error(`docs/performance.md has no place for ${name}`);
  writeFileSync(
    page,
    before.replace(marks, () => `\n\n${text}\n`),
  );
}
