// The extension starts `plumb lsp` for C files and shows the pages of reports. All that is known about a program comes from the
// command.

import * as vscode from 'vscode';
import { LanguageClient, LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';
import { makePage } from './page';

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand('plumb.restart', restart),
    vscode.commands.registerCommand('plumb.showReport', showReport),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration('plumb')) await restart();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

function settings() {
  const configured = vscode.workspace.getConfiguration('plumb');
  return {
    path: configured.get<string>('path', 'plumb'),
    flags: configured.get<string[]>('flags', []),
    time: configured.get<number>('time', 10),
    analyse: configured.get<boolean>('analyse', true),
  };
}

async function start(): Promise<void> {
  const { path, flags, time, analyse } = settings();
  const server: ServerOptions = { command: path, args: ['lsp'] };
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: 'file', language: 'c' }],
    initializationOptions: { flags, time, analyse },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.h') },
  };
  client = new LanguageClient('plumb', 'Plumbline', server, options);
  try {
    await client.start();
  } catch (error) {
    const choice = await vscode.window.showErrorMessage(`plumb does not start: ${error}`, 'Open settings');
    if (choice) await vscode.commands.executeCommand('workbench.action.openSettings', 'plumb.path');
  }
}

async function restart(): Promise<void> {
  await client?.stop();
  await start();
}

// The page of a check-up of the file that is shown, beside it.
async function showReport(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || document.languageId !== 'c') {
    await vscode.window.showInformationMessage('Plumb: open a C file first.');
    return;
  }
  await document.save();
  const { path, flags } = settings();
  const title = `Plumb: ${vscode.workspace.asRelativePath(document.uri)}`;
  const page = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (_, token) => makePage(path, document.uri.fsPath, flags, (stop) => token.onCancellationRequested(stop)),
  );
  if (page.html === undefined) {
    await vscode.window.showErrorMessage(`Plumb: ${page.message}`);
    return;
  }
  const panel = vscode.window.createWebviewPanel('plumbReport', title, vscode.ViewColumn.Beside, {
    enableScripts: true,
    enableFindWidget: true,
    localResourceRoots: [],
  });
  panel.webview.html = page.html;
}
