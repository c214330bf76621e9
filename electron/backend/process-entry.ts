import { LlamaBackend } from "./llama/llama-backend";
import { serveProcess } from "./serve-process";

// The inference process: everything native lives here.
serveProcess((log) => new LlamaBackend(log));
