// docs/guides/upgrade-notes.md: a section for each version, the first of which is of what is not released yet.

const UNRELEASED = /^## Unreleased.*$/m;
const NOTHING_YET = 'Nothing yet: an upgrade needs no other steps than [those of every one](operating.md#upgrade).';

/** What an upgrade to the next version needs; undefined if there is no such section. */
export function unreleasedNotes(notes) {
  const [, after] = notes.split(UNRELEASED);
  if (after === undefined) return undefined;
  return after.split(/^## /m)[0].trim();
}

/** The notes with this section below the heading of a version, and an empty one for the next. */
export function withReleasedNotes(notes, version) {
  return notes.replace(UNRELEASED, `## Unreleased\n\n${NOTHING_YET}\n\n## ${version}`);
}
