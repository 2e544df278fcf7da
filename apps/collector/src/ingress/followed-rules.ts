import type { Logger } from '@ringdown/observability';
import { FollowedFiles } from '@ringdown/settings';
import type { Settings } from '../settings.js';
import { readConfigurationFile, readSendersFile } from './feed-files.js';
import { FrontEndParameters } from './front-end-parameters.js';
import type { SenderRights } from './sender-rights.js';

/** The rules for front ends and senders from the operator's files, reloaded when the files change. */
export class FollowedRules {
  private readonly parametersFile: FollowedFiles<FrontEndParameters> | undefined;
  private readonly rightsFile: FollowedFiles<SenderRights> | undefined;

  /** Throws an Error in one line when a file exists and is wrong. */
  constructor({ configurationFile, sendersFile }: Settings, logger: Logger) {
    this.parametersFile = follow(configurationFile, readConfigurationFile, logger);
    try {
      this.rightsFile = follow(sendersFile, readSendersFile, logger);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The parameters for front ends. */
  get parameters(): FrontEndParameters {
    return this.parametersFile?.current ?? FrontEndParameters.none;
  }

  /** The rights of senders to report for front ends; undefined when they are not configured. */
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
