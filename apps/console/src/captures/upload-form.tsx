import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import fields from '../parts/field.module.css';
import forms from '../parts/form.module.css';
import { useServices } from '../services/services.js';
import { uploadCapture } from './capture-upload.js';
import styles from './captures.module.css';
import { CAPTURES } from './use-captures.js';

/** Chooses a file and sends it; leaving the view cancels the upload. */
export function UploadForm(): ReactNode {
  const { session } = useServices();
  const queries = useQueryClient();
  /** Of the file that is being sent, from 0 to 1. */
  const [progress, setProgress] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const upload = useRef<AbortController>(undefined);
  useEffect(() => () => upload.current?.abort(), []);

  async function send(file: File, frontEnd: string): Promise<void> {
    const cancel = new AbortController();
    upload.current = cancel;
    setProblem(undefined);
    setProgress(0);
    try {
      await uploadCapture({ session, file, frontEnd, onProgress: setProgress, signal: cancel.signal });
      await queries.invalidateQueries({ queryKey: CAPTURES });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      setProblem(cancel.signal.aborted ? 'Upload cancelled. No data was processed.' : reason);
    }
    setProgress(undefined);
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (progress !== undefined) return;
    const form = new FormData(event.currentTarget);
    const [file, frontEnd] = [form.get('file'), form.get('frontEnd')];
    if (!(file instanceof File)) return;
    if (file.size === 0) setProblem('The file is empty.');
    else void send(file, typeof frontEnd === 'string' ? frontEnd.trim() : '');
  }
  return (
    <section className="card" aria-label="Upload a capture">
      <form className={forms['form']} onSubmit={submit}>
        <h1>Upload a capture</h1>
        <p className="muted">
          A pcap or pcapng file with SIP, also compressed with gzip or zstd. Its calls appear like those of a front end.
        </p>
        <div className={forms['fields']}>
          <label className={fields['label']}>
            Capture file
            <input className="field" name="file" type="file" required />
          </label>
          <label className={fields['label']}>
            Front end name
            <input
              className="field"
              name="frontEnd"
              maxLength={64}
              pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
              title="Letters, digits, dots, hyphens and underscores; a letter or digit first"
              placeholder="capture- and your name"
              autoComplete="off"
            />
          </label>
        </div>
        <div className={forms['buttons']}>
          <button className="button primary" type="submit" aria-disabled={progress !== undefined}>
            Upload
          </button>
          {progress !== undefined && (
            <>
              <button className="button" type="button" onClick={() => upload.current?.abort()}>
                Cancel
              </button>
              <progress className={styles['bar']} aria-label="Sent" value={progress} />
              <span>{Math.floor(progress * 100)} %</span>
            </>
          )}
        </div>
        <p className={forms['problem']} role="alert">
          {problem}
        </p>
      </form>
    </section>
  );
}
