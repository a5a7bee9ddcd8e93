// The page of a check-up, made by the command. Knows nothing of the editor, so that it can be tested without one.

import { spawn } from 'node:child_process';

export interface Page {
  // The page; undefined if there is none.
  html?: string;
  // Why there is none.
  message: string;
}

// `onStop` is given what ends the command before its time.
export function makePage(
  command: string,
  file: string,
  flags: readonly string[],
  onStop: (stop: () => void) => void,
): Promise<Page> {
  return new Promise((resolve) => {
    const words = ['check-up', file, '--quiet', '--format', 'html', '--', ...flags];
    const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (data: Buffer) => out.push(data));
    child.stderr.on('data', (data: Buffer) => err.push(data));
    onStop(() => child.kill('SIGINT'));
    child.on('error', (error) => resolve({ message: `${command} cannot be run: ${error.message}` }));
    child.on('close', () => {
      const html = Buffer.concat(out).toString('utf8');
      const message = Buffer.concat(err).toString('utf8').trim();
      resolve(html.startsWith('<!') ? { html, message } : { message: message || 'there is no report' });
    });
  });
}
