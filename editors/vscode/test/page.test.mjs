// The extension is bundled, names what its manifest names, and makes pages. Editors are not needed for that.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'plumb-vscode-'));
const bundle = join(folder, 'page.cjs');
execFileSync('npx', ['esbuild', 'src/page.ts', '--bundle', '--platform=node', '--format=cjs', `--outfile=${bundle}`], { stdio: 'pipe' });
const { makePage } = require(bundle);

function command(script) {
  const path = join(folder, `plumb-${Math.random()}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test('a page is what the command prints', async () => {
  const page = await makePage(command('echo "<!doctype html> $*"; exit 1'), 'a b.c', ['-DN=1'], () => {});
  assert.match(page.html, /check-up a b\.c --quiet --format html -- -DN=1/);
});

test('trouble is said', async () => {
  assert.match((await makePage(command('echo "error: no such file" >&2; exit 2'), 'a.c', [], () => {})).message, /no such file/);
  assert.match((await makePage('/nowhere/plumb', 'a.c', [], () => {})).message, /cannot be run/);
});

test('a command can be stopped', async () => {
  const page = await makePage(command('exec sleep 1000'), 'a.c', [], (stop) => setTimeout(stop, 50));
  assert.equal(page.html, undefined);
});

test('the manifest and the bundle agree', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const bundled = readFileSync(manifest.main, 'utf8');
  for (const { command } of manifest.contributes.commands) assert.ok(bundled.includes(command), command);
  for (const name of Object.keys(manifest.contributes.configuration.properties)) {
    assert.ok(bundled.includes(name.replace('plumb.', '')), name);
  }
});
