import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import fields from '../parts/field.module.css';
import forms from '../parts/form.module.css';
import { useServices } from '../services/services.js';
import styles from './captures.module.css';
import { cancelUpload, reportProblem, startUpload, useUpload } from './running-upload.js';
import { CAPTURES } from './use-captures.js';

/** Chooses a file and sends it, also while another view is shown. */
export function UploadForm(): ReactNode {
  const { session } = useServices();
  const queries = useQueryClient();
  const { progress, problem } = useUpload();

  async function send(file: File, frontEnd: string): Promise<void> {
    await startUpload({ session, file, frontEnd });
    await queries.invalidateQueries({ queryKey: CAPTURES });
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (progress !== undefined) return;
    const form = new FormData(event.currentTarget);
    const [file, frontEnd] = [form.get('file'), form.get('frontEnd')];
    if (!(file instanceof File)) return;
    if (file.size === 0) reportProblem('The file is empty.');
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
              <button className="button" type="button" onClick={cancelUpload}>
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
