import { FollowedFiles, type FollowedFilesLog } from '@ringdown/settings';
import { readPinnedCertificates } from './capture-files.js';

/**
 * The certificates of which the collector has one: those in a file now, as the collector may have read it a moment ago, and those that were
 * in it before. It presents a renewed one a little later than it is in the file, and never if it has no use for it, such as one without its
 * key.
 */
export class PinnedCertificates {
  private readonly followed: FollowedFiles<string>;
  private before = '';

  /** Throws `SettingsError` when the file is missing or wrong. */
  constructor(file: string, logger: FollowedFilesLog, pollMs?: number) {
    this.followed = new FollowedFiles({ files: [file], read: () => readPinnedCertificates(file), logger, pollMs });
    this.followed.onChange((renewed) => {
      if (renewed !== this.followed.current) this.before = this.followed.current;
    });
  }

  /** PEM, of the file as it is now: it is looked at for each upload. */
  get current(): string {
    this.followed.lookNow();
    return `${this.followed.current}\n${this.before}`;
  }

  close(): void {
    this.followed.close();
  }
}
