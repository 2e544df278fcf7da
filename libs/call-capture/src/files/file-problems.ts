/** What could not be read in a file. */
export interface FileProblem {
  readonly file: string;
  /** How many lines or packets; 0: the file as a whole contains nothing to send. */
  readonly unreadable: number;
  /** The reason for the first of them, with its place; for a kind of packets, the whole sentence. */
  readonly reason: string;
  /** Whether the number is that of one kind of packets, such as those in an unsupported tunnel. */
  readonly isKind?: true;
}

/** Counts what cannot be read, and keeps the first reason of each file. */
export class FileProblems {
  private readonly byFile = new Map<string, FileProblem>();
  private readonly kinds: FileProblem[] = [];

  get list(): readonly FileProblem[] {
    return [...this.byFile.values(), ...this.kinds];
  }

  get unreadable(): number {
    return this.list.reduce((sum, each) => sum + each.unreadable, 0);
  }

  add(file: string, reason: string): void {
    const { unreadable, reason: first } = this.byFile.get(file) ?? { unreadable: 0, reason };
    this.byFile.set(file, { file, unreadable: unreadable + 1, reason: first });
  }

  /** Packets of one kind. `text` has their number. */
  addKind(file: string, count: number, text: string): void {
    this.kinds.push({ file, unreadable: count, reason: text, isKind: true });
  }

  /** The file contains nothing to send. */
  addEmpty(file: string, reason: string): void {
    this.byFile.set(file, { file, unreadable: 0, reason });
  }
}

export function formatProblem({ file, unreadable, reason, isKind }: FileProblem): string {
  if (unreadable === 0 || isKind) return `${file}: ${reason}`;
  const what = unreadable === 1 ? 'a line or packet' : `${unreadable} lines or packets`;
  return `${file}: ${what} could not be read${unreadable === 1 ? '' : '; the first'}: ${reason}`;
}
