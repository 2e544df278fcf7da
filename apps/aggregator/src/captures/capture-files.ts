import { readAuthorities, readCertificates } from '@ringdown/feed-client/settings';

interface CaptureFiles {
  readonly captureCaFile?: string | undefined;
  readonly capturePinnedCertificate?: string | undefined;
}

/** Throws `SettingsError` if a file that the settings name is wrong: at the start, not when the first capture is read. */
export function assertCaptureFiles({ captureCaFile, capturePinnedCertificate }: CaptureFiles): void {
  if (captureCaFile !== undefined) readAuthorities({ setting: 'CAPTURE_CA_FILE', file: captureCaFile });
  if (capturePinnedCertificate !== undefined) readPinnedCertificates(capturePinnedCertificate);
}

/** As PEM. Throws `SettingsError`. */
export function readPinnedCertificates(file: string): string {
  return readCertificates({ setting: 'CAPTURE_PINNED_CERT', file });
}
