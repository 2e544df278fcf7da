import { refuseForeignLinks } from '@ringdown/embedded';
import { errorReason } from '@ringdown/errors';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeDurably } from './files/durable-file.js';
import { takeRightsOfOwner } from './owner-rights.js';
import { finishRestore } from './restored-folder.js';
import { RunningFile } from './running-system.js';
import { copyBeforeUpgrade, type UpgradeOfFolder } from './upgrade/copy-before-upgrade.js';
import { removeOlderCopies } from './upgrade/kept-copies.js';
import { readDataVersion, writeUpgradeBegun, writeUpgradeComplete } from './upgrade/data-version.js';
import { refuseForeignData } from './upgrade/refuse-data.js';
import { ownRelease, type OwnRelease } from './upgrade/release.js';

/** The folder that contains all data; only one process may use it at a time. */
export class DataFolder {
  private constructor(
    readonly path: string,
    readonly running: RunningFile,
    private readonly own: OwnRelease,
  ) {}

  /**
   * Throws an Error with a clear one-line message when the folder is not writable, belongs to a running process, or has data of a version
   * that this one does not follow. If it belongs to another user, root runs with the rights of that user from here on.
   */
  static async open(folder: string, own = ownRelease()): Promise<DataFolder> {
    const path = resolve(folder);
    const user = takeRightsOfOwner(path);
    if (user !== undefined)
      process.stderr.write(
        `ringdown: ${path} (DATA_DIR) belongs to user ${user}: running with the rights of that user\n`,
      );
    refuseForeignLinks(path);
    refuseForeignData(path, own);
    try {
      makeFolder(path);
      accessSync(path, constants.W_OK);
      writeFileSync(join(path, '.writable'), '');
      rmSync(join(path, '.writable'));
    } catch (error) {
      throw new Error(`the data folder ${path} cannot be written (DATA_DIR): ${errorReason(error)}`, { cause: error });
    }
    const running = new RunningFile(path);
    const owner = running.claim();
    if (owner !== undefined) throw new Error(`the data folder ${path} is in use by ${owner}`);
    await finishRestore(path);
    return new DataFolder(path, running, own);
  }

  in(...names: string[]): string {
    return join(this.path, ...names);
  }

  /** Random text that is generated at first use and then kept; readable only by its owner. */
  secret(name: string): string {
    const file = this.in(name);
    // Earlier versions could leave an empty file when the disk was full.
    const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    if (known !== '') return known;
    const secret = randomBytes(24).toString('base64url');
    writeDurably(file, `${secret}\n`);
    return secret;
  }

  /** A JSON file that operators and programs write while the system runs; without content at first. */
  objectFile(name: string): string {
    const file = this.in(name);
    if (!existsSync(file)) writeDurably(file, '{}\n', 0o644);
    return file;
  }

  /**
   * Called before anything in the folder is changed that an older version would read: keeps a copy of it first, if this version changes the
   * form of the data.
   */
  async beginUpgrade(options: Omit<UpgradeOfFolder, 'own'>): Promise<void> {
    await copyBeforeUpgrade(this.path, { ...options, own: this.own });
    const { complete, upgradingTo } = readDataVersion(this.path) ?? {};
    const { schema, format } = upgradingTo ?? complete ?? {};
    if (schema === this.own.schema && format === this.own.format) return;
    writeUpgradeBegun(this.path, this.own);
  }

  /** Called when everything has worked with the data once. `servers`: versions of those inside. */
  completeUpgrade(servers: Readonly<Record<string, string>>): void {
    writeUpgradeComplete(this.path, this.own, servers);
    removeOlderCopies(this.path);
  }

  release(): void {
    this.running.release();
  }
}

/** Node's recursive mkdir never returns if the file system reports that the folder cannot exist (`/proc`). */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
