import { FollowedFiles, type FollowedFilesLog } from '@ringdown/settings';
import { loadSites, type SiteSubnet } from './load-sites.js';
import { SiteTable } from './site-table.js';

const NONE = new SiteTable([]);

/** The sites of SITES_FILE as they are now: a change of the file takes effect by itself, also for calls of the past. */
export class Sites implements Pick<SiteTable, 'subnets' | 'siteOf'> {
  private readonly followed: FollowedFiles<SiteTable> | undefined;

  /** Throws an Error in one line when the file is wrong. */
  constructor(file: string | undefined, logger: FollowedFilesLog, pollMs?: number) {
    this.followed =
      file === undefined
        ? undefined
        : new FollowedFiles({ files: [file], read: () => new SiteTable(loadSites(file)), logger, pollMs });
  }

  get subnets(): readonly SiteSubnet[] {
    return this.now.subnets;
  }

  siteOf(address: string | undefined): string | undefined {
    return this.now.siteOf(address);
  }

  close(): void {
    this.followed?.close();
  }

  private get now(): SiteTable {
    return this.followed?.current ?? NONE;
  }
}
