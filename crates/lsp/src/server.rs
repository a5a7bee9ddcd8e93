//! Requests and notifications: the state of the conversation, and nothing that takes long.
//!
//! An edit changes the text at once; what is known is looked up by what the functions are now. The text is then read by
//! [`Question::Check`], which says what functions there are; after that every function is asked about, unless the answer is
//! kept already or is being sought. What an edit makes worthless is cancelled.

use crate::answers::{Answers, each, text};
use crate::jobs::{Event, Job, Jobs};
use crate::outline::{Key, Outline, located};
use crate::show::{View, actions, diagnostics, hints, hover, lenses};
use crate::text::Text;
use crate::wire::{Incoming, Outgoing, Wire};
use crate::{Analyst, Buffer, Question};
use crossbeam_channel::{select, unbounded};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self as told, Notification as _};
use lsp_types::request::{self as asked, Request as _};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    ExecuteCommandOptions, HoverProviderCapability, InitializeParams, InitializeResult, MessageType, NumberOrString,
    OneOf, ProgressParams, ProgressParamsValue, PublishDiagnosticsParams, ServerCapabilities, ServerInfo,
    ShowMessageParams, TextDocumentSyncCapability, TextDocumentSyncKind, Uri, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How the conversation ended, for the exit status: the protocol wants 0 only after `shutdown`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    AsAgreed,
    WithoutShutdown,
}

/// Answers the editor until it says `exit` or goes away.
pub fn serve(wire: Wire, analyst: Arc<dyn Analyst>) -> Ended {
    let Wire { incoming, outgoing } = wire;
    let (events, happened) = unbounded();
    let workers = std::thread::available_parallelism().map_or(1, |cores| cores.get() / 2);
    let jobs = Jobs::start(workers, analyst, &events);
    let mut server = Server::new(jobs, outgoing);
    loop {
        select! {
            recv(incoming) -> message => match message {
                Ok(Incoming::Message(message)) => {
                    if let Some(ended) = server.message(message) {
                        return ended;
                    }
                }
                Ok(Incoming::Malformed(why)) => server.send_error(why),
                Ok(Incoming::Broken(why)) => {
                    server.send_error(why);
                    return Ended::WithoutShutdown;
                }
                Err(_) => return Ended::WithoutShutdown,
            },
            recv(happened) -> event => match event {
                Ok(Event::Begun(job)) => server.begun(&job),
                Ok(Event::Done(job, answer)) => server.done(job, answer),
                Err(_) => return Ended::WithoutShutdown,
            },
        }
    }
}

/// What the user can set: `initializationOptions`, or the section `plumb` of the configuration.
#[derive(Clone, PartialEq, Debug)]
struct Settings {
    /// Flags of the compiler.
    flags: Vec<String>,
    /// Seconds for each question.
    seconds: f64,
    /// Whether functions are asked about; else files are only read.
    analyse: bool,
}

impl Settings {
    fn read(value: &Value) -> Settings {
        Settings {
            flags: each(&value["flags"]).filter_map(Value::as_str).map(str::to_string).collect(),
            seconds: value["time"].as_f64().filter(|time| *time > 0.0).unwrap_or(10.0),
            analyse: value["analyse"].as_bool().unwrap_or(true),
        }
    }
}

/// Where the conversation is.
#[derive(PartialEq, Eq)]
enum Stage {
    New,
    Open,
    ShutDown,
}

struct Server {
    jobs: Jobs,
    outgoing: crossbeam_channel::Sender<Outgoing>,
    stage: Stage,
    settings: Settings,
    /// What the editor can do.
    shows_progress: bool,
    refreshes_hints: bool,
    refreshes_lenses: bool,
    documents: HashMap<String, Document>,
    /// Requests that are answered when their question is.
    waiting: Vec<Waiting>,
    /// The number of the next request of ours, and of the next token of progress.
    next: i32,
}

struct Waiting {
    id: RequestId,
    uri: Uri,
    action: CodeAction,
    cancel: Arc<AtomicBool>,
}

/// An open file.
struct Document {
    uri: Uri,
    path: PathBuf,
    version: i32,
    text: Text,
    outline: Arc<Outline>,
    answers: Answers,
    /// The questions that are being asked, with the keys they are asked for.
    running: HashMap<Question, (Key, Arc<AtomicBool>)>,
    progress: Option<Progress>,
}

struct Progress {
    token: String,
    done: u32,
    all: u32,
}

impl Document {
    fn view<'a>(&'a self, path: &'a str) -> View<'a> {
        View { uri: &self.uri, path, text: &self.text, outline: &self.outline, answers: &self.answers }
    }

    /// Cancels what is being asked, or only what this leaves.
    fn cancel(&mut self, keep: impl Fn(&Question, &Key) -> bool) {
        self.running.retain(|question, (key, cancel)| {
            let kept = keep(question, key);
            if !kept {
                cancel.store(true, Ordering::Relaxed);
            }
            kept
        });
    }
}

impl Server {
    fn new(jobs: Jobs, outgoing: crossbeam_channel::Sender<Outgoing>) -> Server {
        Server {
            jobs,
            outgoing,
            stage: Stage::New,
            settings: Settings::read(&Value::Null),
            shows_progress: false,
            refreshes_hints: false,
            refreshes_lenses: false,
            documents: HashMap::new(),
            waiting: Vec::new(),
            next: 0,
        }
    }

    fn send(&self, message: impl Into<Message>) {
        // An editor that has gone away is noticed when its side of the wire is read.
        let _ = self.outgoing.send(Outgoing::Message(message.into()));
    }

    fn send_error(&self, why: String) {
        let _ = self.outgoing.send(Outgoing::Error(why));
    }

    fn notify<N: told::Notification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_string(), params));
    }

    fn request<R: asked::Request>(&mut self, params: R::Params) {
        self.next += 1;
        self.send(Request::new(RequestId::from(format!("plumb-{}", self.next)), R::METHOD.to_string(), params));
    }

    fn message(&mut self, message: Message) -> Option<Ended> {
        match message {
            Message::Request(request) => self.asked(request),
            Message::Notification(notification) if notification.method == told::Exit::METHOD => {
                return Some(match self.stage {
                    Stage::ShutDown => Ended::AsAgreed,
                    _ => Ended::WithoutShutdown,
                });
            }
            Message::Notification(notification) => self.told(notification),
            // Nothing depends on how the editor answers.
            Message::Response(_) => {}
        }
        None
    }

    fn asked(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answer = match (&self.stage, method.as_str()) {
            (Stage::New, asked::Initialize::METHOD) => read(params).map(|params| Some(self.initialize(&params))),
            (Stage::New, _) => Err((ErrorCode::ServerNotInitialized, "the first request is `initialize`".to_string())),
            (Stage::ShutDown, _) => Err((ErrorCode::InvalidRequest, "the server is shut down".to_string())),
            (Stage::Open, asked::Shutdown::METHOD) => {
                self.stage = Stage::ShutDown;
                self.documents.values_mut().for_each(|document| document.cancel(|_, _| false));
                Ok(Some(Value::Null))
            }
            (Stage::Open, asked::HoverRequest::METHOD) => read::<lsp_types::HoverParams>(params).map(|params| {
                let at = params.text_document_position_params;
                Some(self.look(&at.text_document.uri, |view| json!(hover::hover(view, at.position))))
            }),
            (Stage::Open, asked::InlayHintRequest::METHOD) => {
                read::<lsp_types::InlayHintParams>(params).map(|params| {
                    Some(self.look(&params.text_document.uri, |view| json!(hints::hints(view, params.range))))
                })
            }
            (Stage::Open, asked::CodeLensRequest::METHOD) => read::<lsp_types::CodeLensParams>(params)
                .map(|params| Some(self.look(&params.text_document.uri, |view| json!(lenses::lenses(view))))),
            (Stage::Open, asked::CodeActionRequest::METHOD) => {
                read::<lsp_types::CodeActionParams>(params).map(|params| {
                    let tests =
                        self.document(&params.text_document.uri).map(|document| document.path.with_extension("csv"));
                    let tests = tests.filter(|tests| tests.exists());
                    Some(
                        self.look(&params.text_document.uri, |view| {
                            json!(actions::actions(view, &params, tests.clone()))
                        }),
                    )
                })
            }
            (Stage::Open, asked::CodeActionResolveRequest::METHOD) => {
                read(params).and_then(|action| self.resolve(&id, action))
            }
            (Stage::Open, asked::ExecuteCommand::METHOD) => {
                read(params).and_then(|params| self.execute(&params).map(Some))
            }
            (Stage::Open, _) => Err((ErrorCode::MethodNotFound, format!("`{method}` is not answered here"))),
        };
        match answer {
            Ok(Some(result)) => self.send(Response::new_ok(id, result)),
            // It is answered later.
            Ok(None) => {}
            Err((code, why)) => self.send(Response::new_err(id, code as i32, why)),
        }
    }

    fn initialize(&mut self, params: &InitializeParams) -> Value {
        self.stage = Stage::Open;
        self.settings = Settings::read(params.initialization_options.as_ref().unwrap_or(&Value::Null));
        let capabilities = serde_json::to_value(&params.capabilities).unwrap_or_default();
        let is_set = |pointer: &str| capabilities.pointer(pointer).and_then(Value::as_bool).unwrap_or(false);
        self.shows_progress = is_set("/window/workDoneProgress");
        self.refreshes_hints = is_set("/workspace/inlayHint/refreshSupport");
        self.refreshes_lenses = is_set("/workspace/codeLens/refreshSupport");
        let capabilities = ServerCapabilities {
            text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::INCREMENTAL)),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            inlay_hint_provider: Some(OneOf::Left(true)),
            code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
            code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
                code_action_kinds: Some(vec![
                    CodeActionKind::QUICKFIX,
                    CodeActionKind::REFACTOR,
                    CodeActionKind::SOURCE,
                ]),
                resolve_provider: Some(true),
                ..CodeActionOptions::default()
            })),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: vec![actions::EXPLAIN.to_string()],
                ..ExecuteCommandOptions::default()
            }),
            ..ServerCapabilities::default()
        };
        let version = Some(env!("CARGO_PKG_VERSION").to_string());
        let server_info = Some(ServerInfo { name: "plumb".to_string(), version });
        json!(InitializeResult { capabilities, server_info })
    }

    fn document(&self, uri: &Uri) -> Option<&Document> {
        self.documents.get(uri.as_str())
    }

    /// What a view of an open file gives; of a file that is not open, nothing is known.
    fn look(&self, uri: &Uri, show: impl Fn(&View<'_>) -> Value) -> Value {
        self.document(uri).map_or(Value::Null, |document| show(&document.view(&document.path.to_string_lossy())))
    }

    fn execute(&mut self, params: &lsp_types::ExecuteCommandParams) -> Result<Value, (ErrorCode, String)> {
        let rule = params.arguments.first().and_then(Value::as_str).and_then(::diagnostics::Rule::from_id);
        let (actions::EXPLAIN, Some(rule)) = (params.command.as_str(), rule) else {
            let why = format!("`{}` with these arguments is no command of plumb", params.command);
            return Err((ErrorCode::InvalidParams, why));
        };
        let message = format!("{}: {}\n\n{}", rule.id(), rule.summary(), rule.explanation());
        self.notify::<told::ShowMessage>(ShowMessageParams { typ: MessageType::INFO, message: message.clone() });
        Ok(json!(message))
    }

    /// Works out the edit of an action: at once if its question is answered already, else when it is.
    fn resolve(&mut self, id: &RequestId, action: CodeAction) -> Result<Option<Value>, (ErrorCode, String)> {
        let asked = action.data.as_ref().and_then(actions::question);
        let Some((uri, question)) = asked else { return Ok(Some(json!(action))) };
        let Some(document) = self.documents.get(uri.as_str()) else {
            return Err((ErrorCode::InvalidParams, "the file of this action is not open".to_string()));
        };
        if let Some(resolved) = resolved(document, &question, &action) {
            return Ok(Some(json!(resolved)));
        }
        let key = document.outline.key(question.function());
        let job = job(document, &question, key, &self.settings);
        let cancel = job.cancel.clone();
        self.waiting.push(Waiting { id: id.clone(), uri, action, cancel });
        self.jobs.ask(job, true);
        Ok(None)
    }

    fn told(&mut self, notification: Notification) {
        if self.stage != Stage::Open {
            return;
        }
        let Notification { method, params } = notification;
        // A notification has no answer, so one that cannot be read is passed over.
        match method.as_str() {
            told::DidOpenTextDocument::METHOD => {
                let Ok(params) = read::<lsp_types::DidOpenTextDocumentParams>(params) else { return };
                let opened = params.text_document;
                let Some(path) = path_of(&opened.uri) else { return };
                let text = Text::new(opened.text);
                let outline = Arc::new(Outline::new(&text, &[]));
                let document = Document {
                    uri: opened.uri.clone(),
                    path,
                    version: opened.version,
                    text,
                    outline,
                    answers: Answers::default(),
                    running: HashMap::new(),
                    progress: None,
                };
                self.documents.insert(opened.uri.as_str().to_string(), document);
                self.read_text(&opened.uri);
            }
            told::DidChangeTextDocument::METHOD => {
                let Ok(params) = read::<lsp_types::DidChangeTextDocumentParams>(params) else { return };
                let uri = params.text_document.uri;
                let Some(document) = self.documents.get_mut(uri.as_str()) else { return };
                document.version = params.text_document.version;
                for change in &params.content_changes {
                    document.text = document.text.changed(change);
                }
                let names: Vec<String> = document.outline.functions.iter().map(|(name, _)| name.clone()).collect();
                document.outline = Arc::new(Outline::new(&document.text, &located(&document.text, &names)));
                self.read_text(&uri);
            }
            told::DidCloseTextDocument::METHOD => {
                let Ok(params) = read::<lsp_types::DidCloseTextDocumentParams>(params) else { return };
                let uri = params.text_document.uri;
                if let Some(mut document) = self.documents.remove(uri.as_str()) {
                    document.cancel(|_, _| false);
                    self.end_progress(document.progress.take(), "closed");
                    self.notify::<told::PublishDiagnostics>(PublishDiagnosticsParams::new(uri, Vec::new(), None));
                }
            }
            // Files that others include may have changed.
            told::DidSaveTextDocument::METHOD => {
                let Ok(params) = read::<lsp_types::DidSaveTextDocumentParams>(params) else { return };
                self.start_over(|document| document.uri != params.text_document.uri);
            }
            told::DidChangeWatchedFiles::METHOD => self.start_over(|_| true),
            told::DidChangeConfiguration::METHOD => {
                let Ok(params) = read::<lsp_types::DidChangeConfigurationParams>(params) else { return };
                let settings = Settings::read(params.settings.get("plumb").unwrap_or(&params.settings));
                if settings != self.settings {
                    self.settings = settings;
                    self.start_over(|_| true);
                }
            }
            told::Cancel::METHOD => {
                let Ok(params) = read::<lsp_types::CancelParams>(params) else { return };
                let id = match params.id {
                    NumberOrString::Number(number) => RequestId::from(number),
                    NumberOrString::String(text) => RequestId::from(text),
                };
                if let Some(index) = self.waiting.iter().position(|waiting| waiting.id == id) {
                    let waiting = self.waiting.swap_remove(index);
                    waiting.cancel.store(true, Ordering::Relaxed);
                    self.send(Response::new_err(id, ErrorCode::RequestCanceled as i32, "cancelled".to_string()));
                }
            }
            told::WorkDoneProgressCancel::METHOD => {
                let Ok(params) = read::<lsp_types::WorkDoneProgressCancelParams>(params) else { return };
                let NumberOrString::String(token) = params.token else { return };
                let is_meant = |progress: &Progress| progress.token == token;
                let meant =
                    self.documents.values_mut().find(|document| document.progress.as_ref().is_some_and(is_meant));
                if let Some(document) = meant {
                    document.cancel(|_, _| false);
                    let progress = document.progress.take();
                    self.end_progress(progress, "cancelled");
                }
            }
            _ => {}
        }
    }

    /// Forgets what is known of some of the files and asks anew.
    fn start_over(&mut self, is_meant: impl Fn(&Document) -> bool) {
        let meant: Vec<Uri> = self
            .documents
            .values()
            .filter(|document| is_meant(document))
            .map(|document| document.uri.clone())
            .collect();
        for uri in meant {
            if let Some(document) = self.documents.get_mut(uri.as_str()) {
                document.answers.forget();
                document.cancel(|_, _| false);
            }
            self.read_text(&uri);
        }
    }

    /// Has the text read. What is known of the functions that did not change is shown meanwhile.
    fn read_text(&mut self, uri: &Uri) {
        let Some(document) = self.documents.get_mut(uri.as_str()) else { return };
        let outline = document.outline.clone();
        document.cancel(|question, key| *question != Question::Check && outline.key(question.function()) == *key);
        self.ask(uri, vec![Question::Check]);
    }

    /// Asks what is not known and not being asked already.
    fn ask(&mut self, uri: &Uri, questions: Vec<Question>) {
        let Some(document) = self.documents.get_mut(uri.as_str()) else { return };
        let mut asked = 0;
        for question in questions {
            let key = document.outline.key(question.function());
            let is_running = document.running.get(&question).is_some_and(|(running, _)| *running == key);
            if is_running || document.answers.get(&question, &document.outline).is_some() {
                continue;
            }
            let job = job(document, &question, key.clone(), &self.settings);
            if let Some((_, before)) = document.running.insert(question.clone(), (key, job.cancel.clone())) {
                before.store(true, Ordering::Relaxed);
            }
            self.jobs.ask(job, question == Question::Check);
            asked += u32::from(question != Question::Check);
        }
        if asked > 0 {
            self.begin_progress(uri, asked);
        }
    }

    fn begun(&mut self, job: &Job) {
        if let Some(progress) = self.documents.get(job.uri.as_str()).and_then(|document| document.progress.as_ref()) {
            let percentage = Some(progress.done * 100 / progress.all.max(1));
            let report =
                WorkDoneProgressReport { message: Some(job.question.shown()), percentage, cancellable: Some(true) };
            self.report(&progress.token, WorkDoneProgress::Report(report));
        }
    }

    fn done(&mut self, job: Job, answer: Result<Value, String>) {
        let Job { uri, question, key, outline, cancel, .. } = job;
        let is_cancelled = cancel.load(Ordering::Relaxed);
        if let Some(document) = self.documents.get_mut(uri.as_str()) {
            let is_awaited = document.running.get(&question).is_some_and(|(_, running)| Arc::ptr_eq(running, &cancel));
            if is_awaited {
                document.running.remove(&question);
            }
            // An answer that was cut short says too little; it is not kept.
            if !is_cancelled {
                document.answers.keep(question.clone(), key, outline, answer);
            }
            if question != Question::Check
                && let Some(progress) = &mut document.progress
            {
                progress.done += 1;
            }
        }
        self.answer_waiting(&uri, &question, &cancel);
        if question == Question::Check && !is_cancelled {
            self.checked(&uri);
        }
        let Some(document) = self.documents.get_mut(uri.as_str()) else { return };
        let finished = document.running.keys().all(|question| *question == Question::Check);
        let progress = if finished && question != Question::Check { document.progress.take() } else { None };
        self.end_progress(progress, "done");
        if !is_cancelled {
            self.publish(&uri);
        }
    }

    /// The text was read: now it is known which functions there are, and they are asked about.
    fn checked(&mut self, uri: &Uri) {
        let Some(document) = self.documents.get_mut(uri.as_str()) else { return };
        let Some(answer) = document.answers.get(&Question::Check, &document.outline) else { return };
        // A text that cannot be read leaves the functions as they were guessed.
        let Some(functions) = answer.result().and_then(|result| result["functions"].as_array()) else { return };
        let path = document.path.to_string_lossy().into_owned();
        let here = functions.iter().filter(|function| function["file"].as_str() == Some(&path));
        let line = |function: &Value| function["line"].as_u64().and_then(|line| u32::try_from(line).ok());
        let defined: Vec<(String, u32)> =
            here.filter_map(|function| Some((text(&function["name"]).to_string(), line(function)?))).collect();
        document.outline = Arc::new(Outline::new(&document.text, &defined));
        if !self.settings.analyse {
            return;
        }
        // What may go wrong is asked of all functions before anything else.
        let kinds = [Question::Prove, Question::Infer, Question::Reach, Question::Symmetry];
        let questions = kinds.iter().flat_map(|kind| defined.iter().map(move |(name, _)| kind(name.clone())));
        self.ask(uri, questions.collect());
    }

    /// Answers the requests that waited for this question.
    fn answer_waiting(&mut self, uri: &Uri, question: &Question, cancel: &Arc<AtomicBool>) {
        let is_meant = |waiting: &Waiting| Arc::ptr_eq(&waiting.cancel, cancel);
        let (meant, others) = std::mem::take(&mut self.waiting).into_iter().partition(is_meant);
        self.waiting = others;
        let meant: Vec<Waiting> = meant;
        for Waiting { id, uri: asked, action, .. } in meant {
            debug_assert_eq!(asked.as_str(), uri.as_str());
            let edit = self.document(uri).and_then(|document| resolved(document, question, &action));
            self.send(match edit {
                Some(action) => Response::new_ok(id, action),
                None => {
                    let why = "nothing was found that could be written into this text".to_string();
                    Response::new_err(id, ErrorCode::RequestFailed as i32, why)
                }
            });
        }
    }

    /// Shows what is known now.
    fn publish(&mut self, uri: &Uri) {
        let Some(document) = self.document(uri) else { return };
        let version = Some(document.version);
        let found = diagnostics::diagnostics(&document.view(&document.path.to_string_lossy()));
        self.notify::<told::PublishDiagnostics>(PublishDiagnosticsParams::new(uri.clone(), found, version));
        if self.refreshes_hints {
            self.request::<asked::InlayHintRefreshRequest>(());
        }
        if self.refreshes_lenses {
            self.request::<asked::CodeLensRefresh>(());
        }
    }

    fn begin_progress(&mut self, uri: &Uri, more: u32) {
        if !self.shows_progress {
            return;
        }
        let Some(document) = self.documents.get_mut(uri.as_str()) else { return };
        if let Some(progress) = &mut document.progress {
            progress.all += more;
            return;
        }
        let token = format!("plumb-progress-{}", self.next);
        document.progress = Some(Progress { token: token.clone(), done: 0, all: more });
        self.request::<asked::WorkDoneProgressCreate>(WorkDoneProgressCreateParams {
            token: NumberOrString::String(token.clone()),
        });
        let begin = WorkDoneProgressBegin {
            title: "plumb".to_string(),
            cancellable: Some(true),
            message: None,
            percentage: Some(0),
        };
        self.report(&token, WorkDoneProgress::Begin(begin));
    }

    fn end_progress(&self, progress: Option<Progress>, message: &str) {
        if let Some(progress) = progress {
            let end = WorkDoneProgressEnd { message: Some(message.to_string()) };
            self.report(&progress.token, WorkDoneProgress::End(end));
        }
    }

    fn report(&self, token: &str, value: WorkDoneProgress) {
        let token = NumberOrString::String(token.to_string());
        self.notify::<told::Progress>(ProgressParams { token, value: ProgressParamsValue::WorkDone(value) });
    }
}

/// The parameters of a message, or the error that says what is wrong with them.
fn read<P: DeserializeOwned>(params: Value) -> Result<P, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

fn job(document: &Document, question: &Question, key: Key, settings: &Settings) -> Job {
    Job {
        uri: document.uri.clone(),
        question: question.clone(),
        key,
        outline: document.outline.clone(),
        buffer: Buffer {
            path: document.path.clone(),
            text: document.text.whole().clone(),
            flags: settings.flags.clone(),
        },
        seconds: settings.seconds,
        cancel: Arc::new(AtomicBool::new(false)),
    }
}

/// The action with its edit, if its question is answered for the text as it is now.
fn resolved(document: &Document, question: &Question, action: &CodeAction) -> Option<CodeAction> {
    let answer = document.answers.get(question, &document.outline)?;
    actions::resolved(&document.view(&document.path.to_string_lossy()), action.clone(), answer)
}

/// The path of a `file:` address.
fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    // There may be the name of this machine before the path.
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
            }
            byte => bytes.push(byte),
        }
    }
    Some(PathBuf::from(String::from_utf8(bytes).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    #[test]
    fn addresses_are_paths() {
        let path = |uri: &str| path_of(&Uri::from_str(uri).unwrap());
        assert_eq!(path("file:///a%20b/%C3%A9.c"), Some(PathBuf::from("/a b/é.c")));
        assert_eq!(path("file://host/a.c"), Some(PathBuf::from("/a.c")));
        assert_eq!(path("untitled:Untitled-1"), None);
    }
}
