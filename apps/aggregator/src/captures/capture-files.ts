import { readAuthorities } from '@ringdown/feed-client/settings';

/** Throws `SettingsError` if a file that the settings name is wrong: at the start, not when the first capture is read. */
export function assertCaptureFiles({ captureCaFile }: { readonly captureCaFile?: string | undefined }): void {
  if (captureCaFile !== undefined) readAuthorities({ setting: 'CAPTURE_CA_FILE', file: captureCaFile });
}
