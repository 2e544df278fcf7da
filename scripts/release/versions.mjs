// Versions as Semantic Versioning has them (semver.org), without build metadata, which no release of ours has.

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-(alpha|beta|rc)\.(0|[1-9]\d*))?$/;
const STAGES = ['alpha', 'beta', 'rc'];
const PARTS = ['major', 'minor', 'patch'];

/** `{ numbers, stage, step }`; undefined if it is no version. */
export function parseVersion(text) {
  const [, major, minor, patch, stage, step] = VERSION.exec(text) ?? [];
  if (major === undefined) return undefined;
  return { numbers: [major, minor, patch].map(Number), stage, step: step === undefined ? undefined : Number(step) };
}

/** Whether it is no alpha, beta or release candidate. */
export function isStable(version) {
  return parseVersion(version).stage === undefined;
}

/** Below 0 if `a` is the older one. A version without a stage is newer than its release candidates. */
export function compareVersions(a, b) {
  const [one, other] = [parseVersion(a), parseVersion(b)];
  for (const at of PARTS.keys()) {
    if (one.numbers[at] !== other.numbers[at]) return one.numbers[at] - other.numbers[at];
  }
  const [ours, theirs] = [rank(one), rank(other)];
  return ours[0] - theirs[0] || ours[1] - theirs[1];
}

function rank({ stage, step }) {
  return stage === undefined ? [0, 0] : [STAGES.indexOf(stage) - STAGES.length, step];
}

/** The next version after one, when this part changes. */
export function nextVersion(version, part) {
  const at = PARTS.indexOf(part);
  const { numbers } = parseVersion(version);
  return numbers.map((number, index) => (index < at ? number : index === at ? number + 1 : 0)).join('.');
}
