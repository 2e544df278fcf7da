// The licences of packages that are in a bundle: most ask for their text in each copy.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const LICENCES = 'THIRD-PARTY-LICENSES.txt';

const PACKAGES = 'node_modules/';
const RULE = '-'.repeat(80);
const NAMES = ['license', 'licence', 'notice', 'copying', 'copyright', 'unlicense'];
const READMES = ['README.md', 'Readme.md', 'readme.md'];

/** The text of that file for a bundle of these modules. Throws when a package says nothing about its licence. */
export function licencesOf(modules) {
  const folders = new Set(modules.flatMap((id) => packageFolder(id.replaceAll('\\', '/')) ?? []));
  const packages = Array.from(folders, (folder) => licenceOf(folder));
  const texts = new Map(packages.map(({ title, text }) => [title, text]));
  const sections = [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([title, text]) => `${title}\n\n${text}\n`);
  return [`Packages of others that are part of these files, with their licences.\n`, ...sections].join(`\n${RULE}\n`);
}

/** The packages that such a text is about, as `{ name, version, licence }`. */
export function packagesIn(text) {
  return text
    .split(`\n${RULE}\n`)
    .slice(1)
    .map((section) => /^(?<name>\S+) (?<version>\S+)(?: \((?<licence>.+)\))?$/m.exec(section)?.groups);
}

/** The bundler puts a zero byte, and names of its own, before what it makes of a module. */
function packageFolder(id) {
  const begin = id.lastIndexOf(PACKAGES);
  if (begin === -1) return undefined;
  const [first, second] = id.slice(begin + PACKAGES.length).split('/');
  const folder = id.slice(id.lastIndexOf('\0') + 1, begin + PACKAGES.length);
  return join(folder.slice(folder.indexOf('/')), first.startsWith('@') ? `${first}/${second}` : first);
}

function licenceOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const text = licenceFiles(folder) || readmeSection(folder);
  if (text === '' && license === undefined) throw new Error(`${folder} does not say what its licence is`);
  const by = author === undefined ? '' : `, by ${author.name ?? author}`;
  return {
    title: `${name} ${version}${license === undefined ? '' : ` (${license})`}`,
    text: text || `The package has no text of its own: it is licensed as ${license}${by}.`,
  };
}

function licenceFiles(folder) {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && NAMES.some((name) => entry.name.toLowerCase().startsWith(name)))
    .map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim());
  return files.join('\n\n');
}

/** From the heading to the end of the document. */
function readmeSection(folder) {
  const file = READMES.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (file === undefined) return '';
  const lines = readFileSync(file, 'utf8').split('\n');
  const begin = lines.findIndex((line, at) => isHeading(line, lines[at + 1]) && /licen[cs]e/i.test(line));
  if (begin === -1) return '';
  const text = lines.slice(begin + 1).join('\n');
  return text.replace(/^[=-]+\n/, '').trim();
}

/** Both forms of Markdown. */
function isHeading(line, next = '') {
  return line.startsWith('#') || /^(?:=+|-+)$/.test(next);
}
