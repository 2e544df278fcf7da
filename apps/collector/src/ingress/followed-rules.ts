import type { Logger } from '@ringdown/observability';
import { FollowedFiles } from '@ringdown/settings';
import type { Settings } from '../settings.js';
import { readConfigurationFile, readSendersFile } from './feed-files.js';
import { FrontEndParameters } from './front-end-parameters.js';
import type { SenderRights } from './sender-rights.js';

/** What the operator's files say of front ends and senders, as the files are now. */
export class FollowedRules {
  private readonly parametersFile: FollowedFiles<FrontEndParameters> | undefined;
  private readonly rightsFile: FollowedFiles<SenderRights> | undefined;

  /** Throws an Error in one line when a file is there and wrong. */
  constructor({ configurationFile, sendersFile }: Settings, logger: Logger) {
    this.parametersFile = follow(configurationFile, readConfigurationFile, logger);
    try {
      this.rightsFile = follow(sendersFile, readSendersFile, logger);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** What front ends shall be set to. */
  get parameters(): FrontEndParameters {
    return this.parametersFile?.current ?? FrontEndParameters.none;
  }

  /** For which front ends senders may report; undefined where nothing is said of it. */
  get rights(): SenderRights | undefined {
    return this.rightsFile?.current;
  }

  close(): void {
    this.parametersFile?.close();
    this.rightsFile?.close();
  }
}

function follow<T>(
  file: string | undefined,
  readFile: (path: string) => T,
  logger: Logger,
): FollowedFiles<T> | undefined {
  return file === undefined ? undefined : new FollowedFiles({ files: [file], read: () => readFile(file), logger });
}
