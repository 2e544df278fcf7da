// CHANGELOG.md as Keep a Changelog has it: what is not released yet, and which part of the version that changes.

const UNRELEASED = '## [Unreleased]';
const HEADING = /^## \[([^\]]+)\]/;
/** Sections that only mend what was wrong. */
const MENDING = new Set(['Fixed', 'Security']);
/** An entry with something bold asks for something from who upgrades (CONTRIBUTING.md, "Releases"). */
const INCOMPATIBLE = /\*\*\S/;

/** The lines below the heading of a version (`Unreleased`), up to the next one; undefined if there is no such heading. */
export function changesOf(changelog, version) {
  const lines = changelog.split('\n');
  const begin = lines.findIndex((line) => HEADING.exec(line)?.[1] === version);
  if (begin === -1) return undefined;
  const length = lines.slice(begin + 1).findIndex((line) => HEADING.test(line));
  return lines
    .slice(begin + 1, length === -1 ? undefined : begin + 1 + length)
    .join('\n')
    .trim();
}

/** Which part of the version these changes ask for: `major`, `minor` or `patch`; undefined if there are none. */
export function changedPart(changes) {
  const sections = changes.split(/^### /m).slice(1);
  const filled = sections.filter((section) => /^- /m.test(section));
  if (filled.length === 0) return undefined;
  if (filled.some((section) => INCOMPATIBLE.test(section) || section.startsWith('Removed'))) return 'major';
  return filled.every((section) => MENDING.has(section.split('\n')[0].trim())) ? 'patch' : 'minor';
}

/** The changelog with what was unreleased below the heading of a version, and nothing unreleased. */
export function withRelease(changelog, version, date) {
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${date}`);
}
