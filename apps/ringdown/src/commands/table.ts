/** A command of an installed package. */
export interface Command {
  readonly name: string;
  /** What follows the name on the command line; empty if nothing does. */
  readonly args: string;
  /** For the help and the manual page. */
  readonly about: string;
  /**
   * Whose rights it needs where the data folder belongs to another user, and root calls it: those of the owner, so that all files have one owner;
   * or its own.
   */
  readonly rights: 'owner' | 'caller';
  /** What it runs: a program, or a function of this one. */
  readonly runs: URL | 'start' | 'stop' | 'restart' | 'version';
}

/** All commands, in the order of the help. Programs are named by their compiled files, in whose place bundles run. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'start',
    args: '',
    about: 'Starts the system in the background, and waits until it is ready.',
    rights: 'owner',
    runs: 'start',
  },
  { name: 'stop', args: '', about: 'Stops it in order, and waits until it has ended.', rights: 'owner', runs: 'stop' },
  { name: 'restart', args: '', about: 'Stops it and starts it again.', rights: 'owner', runs: 'restart' },
  {
    name: 'status',
    args: '',
    about: 'Shows its addresses and the state of each part. Exit code 0: ready, 1: not ready, 3: not running.',
    rights: 'owner',
    runs: new URL('../status-main.js', import.meta.url),
  },
  {
    name: 'doctor',
    args: '[--json]',
    about:
      'Looks for what is wrong with this system and machine, and says what to do. Exit code 0: nothing, 1: problems.',
    rights: 'caller',
    runs: new URL('../doctor/main.js', import.meta.url),
  },
  {
    name: 'run',
    args: '',
    about: 'Runs the system in the foreground, for service managers and containers.',
    rights: 'owner',
    runs: new URL('../main.js', import.meta.url),
  },
  {
    name: 'people',
    args: 'COMMAND',
    about: 'Lists, adds and changes people who sign in.',
    rights: 'owner',
    runs: new URL('../people-main.js', import.meta.url),
  },
  {
    name: 'backup',
    args: '[FOLDER]',
    about: 'Copies everything to a new folder, also while it runs.',
    rights: 'owner',
    runs: new URL('../backup-main.js', import.meta.url),
  },
  {
    name: 'restore',
    args: 'FOLDER',
    about: 'Makes a stopped system what it was at the time of a backup.',
    rights: 'owner',
    runs: new URL('../restore-main.js', import.meta.url),
  },
  {
    name: 'migrate',
    args: '[--dry-run]',
    about: 'Updates the database of a stopped system, or lists what would be done.',
    rights: 'owner',
    runs: new URL('../migrate-main.js', import.meta.url),
  },
  {
    name: 'downgrade',
    args: '[--check]',
    about: 'Puts the data of a stopped system back as they were before the last upgrade.',
    rights: 'owner',
    runs: new URL('../downgrade-main.js', import.meta.url),
  },
  {
    name: 'dead-letters',
    args: 'COMMAND',
    about: 'Lists, shows, replays and deletes records that could not become part of a call.',
    rights: 'owner',
    runs: new URL('../dead-letters-main.js', import.meta.url),
  },
  {
    name: 'sizing',
    args: '--calls-per-hour N',
    about: 'Prints the disk, memory and processes that a system needs.',
    rights: 'caller',
    runs: new URL('../sizing/main.js', import.meta.url),
  },
  {
    name: 'demo',
    args: '',
    about: 'Posts the calls of an invented company until Ctrl-C.',
    rights: 'owner',
    runs: new URL('../demo-main.js', import.meta.url),
  },
  {
    name: 'sender',
    args: 'COMMAND',
    about: 'Runs a sender beside a SIP platform, or replays captures.',
    rights: 'caller',
    runs: new URL('../../../../sender/dist/src/main.js', import.meta.url),
  },
  { name: 'version', args: '', about: 'Prints the version, and where things are.', rights: 'caller', runs: 'version' },
];
