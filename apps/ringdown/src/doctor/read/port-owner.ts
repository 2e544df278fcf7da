import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTENING = '0A';

/** The program that listens on a port (proc(5)); undefined if there is none, or this user may not see it. */
export function programAtPort(
  port: number,
  proc = '/proc',
): { readonly pid: number; readonly name: string } | undefined {
  const sockets = new Set(socketsAt(port, proc).map((inode) => `socket:[${inode}]`));
  if (sockets.size === 0) return undefined;
  const pid = listed(proc).find((name) => /^\d+$/.test(name) && hasSocket(`${proc}/${name}/fd`, sockets));
  return pid === undefined ? undefined : { pid: Number(pid), name: text(`${proc}/${pid}/comm`).trim() };
}

function socketsAt(port: number, proc: string): readonly string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return ['tcp', 'tcp6'].flatMap((kind) =>
    text(`${proc}/net/${kind}`)
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = '', , state]) => local.endsWith(`:${hex}`) && state === LISTENING)
      .flatMap((columns) => columns[9] ?? []),
  );
}

function hasSocket(folder: string, sockets: ReadonlySet<string>): boolean {
  return listed(folder).some((name) => sockets.has(target(`${folder}/${name}`)));
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Of another user, or gone meanwhile.
    return [];
  }
}

function target(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

function text(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
