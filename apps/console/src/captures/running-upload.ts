import { useSyncExternalStore } from 'react';
import { texts } from '../texts/captures.js';
import { uploadCapture, type CaptureUpload } from './capture-upload.js';

export interface UploadState {
  /** Of the file that is being sent, from 0 to 1; undefined if none is. */
  readonly progress: number | undefined;
  readonly problem: string | undefined;
}

const listeners = new Set<() => void>();
let state: UploadState = { progress: undefined, problem: undefined };
let cancel = new AbortController();

/** The upload of this tab. It continues while other views are shown; the browser asks before the tab is closed. */
export function useUpload(): UploadState {
  return useSyncExternalStore(subscribe, () => state);
}

/** Resolves when the capture was sent, or could not be: the state has the reason. */
export async function startUpload(upload: Omit<CaptureUpload, 'onProgress' | 'signal'>): Promise<void> {
  const { signal } = (cancel = new AbortController());
  change({ progress: 0, problem: undefined });
  addEventListener('beforeunload', confirmLeaving);
  try {
    await uploadCapture({ ...upload, signal, onProgress: (progress) => change({ progress, problem: undefined }) });
    change({ progress: undefined, problem: undefined });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    reportProblem(signal.aborted ? texts.cancelled : reason);
  } finally {
    removeEventListener('beforeunload', confirmLeaving);
  }
}

export function cancelUpload(): void {
  cancel.abort();
}

export function reportProblem(problem: string): void {
  change({ progress: undefined, problem });
}

function confirmLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function change(next: UploadState): void {
  state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
