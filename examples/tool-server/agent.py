#!/usr/bin/env python3
"""A small agent that works on a folder with the tools of `roundtrip serve --stdio`.

Usage: python3 agent.py FOLDER TASK

The model is at any OpenAI-compatible address, which the environment names: MODEL, OPENAI_BASE_URL, OPENAI_API_KEY.
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from concurrent.futures import Future
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "bin" / "roundtrip.js"
MAX_STEPS = 30
MODEL_SECONDS = 300
INSTRUCTIONS = "You work on the files of a folder, with tools. When the task is done, say briefly what you did."


class AgentError(Exception):
    """Something that ends the program; the message says why."""


class ToolServer:
    """The tool server for a folder. It runs as long as the `with` block."""

    def __init__(self, folder):
        self.ids = itertools.count(1)
        self.waiting = {}
        self.process = subprocess.Popen(
            ["node", str(PROGRAM), "serve", "--stdio", "--cwd", folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        # On a thread of its own: otherwise, both sides could wait for the other one to read.
        threading.Thread(target=self.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, error_type, *_):
        """Ends the server: by closing its input, or at once if something went wrong."""
        if error_type is not None:
            self.process.terminate()
        try:
            self.process.stdin.close()
        except OSError:
            pass  # It has ended already.
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def send(self, method, **params):
        """Sends a request, and returns a future with its result, or with an `AgentError`."""
        request_id = next(self.ids)
        answer = self.waiting[request_id] = Future()
        try:
            self.process.stdin.write(json.dumps({"id": request_id, "method": method, "params": params}) + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise AgentError(f"The tool server has ended ({error}).") from error
        return answer

    def read(self):
        """Hands each answer to the request with its id. Answers come in any order."""
        try:
            for line in self.process.stdout:
                message = json.loads(line)
                answer = self.waiting.pop(message.get("id"), None)
                if answer is None:
                    continue  # Nobody waits for it: the news that tools have changed.
                if "error" in message:
                    answer.set_exception(AgentError("{code}: {message}".format(**message["error"])))
                else:
                    answer.set_result(message["result"])
        finally:
            for answer in list(self.waiting.values()):
                answer.set_exception(AgentError("The tool server has ended."))


def ask_model(messages, tools):
    """Returns the model's next message."""
    address = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1").rstrip("/")
    headers = {"Content-Type": "application/json"}
    if os.environ.get("OPENAI_API_KEY"):
        headers["Authorization"] = f"Bearer {os.environ['OPENAI_API_KEY']}"
    body = json.dumps({"model": os.environ["MODEL"], "messages": messages, "tools": tools}).encode()
    request = urllib.request.Request(f"{address}/chat/completions", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=MODEL_SECONDS) as response:
            return json.load(response)["choices"][0]["message"]
    except urllib.error.HTTPError as error:
        raise AgentError(f"The model's server answered {error}: {error.read(2000).decode(errors='replace')}") from error
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise AgentError(f"There is no answer from {address}: {error!r}") from error


def start_call(server, call):
    """Starts a call of the model, and returns a future with its result."""
    name, text = call["function"]["name"], call["function"]["arguments"]
    print(f"> {name} {text[:200]}", file=sys.stderr)
    try:
        given = json.loads(text or "{}")
    except ValueError:
        given = text  # The server's answer says what is wrong with it.
    return server.send("call_tool", name=name, input=given)


def result_text(answer):
    """Waits for a call, and returns what the model is told about it."""
    try:
        result = answer.result()
    except AgentError as error:
        result = {"content": str(error), "is_error": True}
    if result["is_error"]:
        print(f"  failed: {result['content'][:200]}", file=sys.stderr)
    return result["content"]


def run(server, task):
    """Lets the model call tools until it answers, and returns the answer."""
    listed = server.send("list_tools").result()["tools"]
    names = ("name", "description", "parameters")
    tools = [{"type": "function", "function": {name: tool[name] for name in names}} for tool in listed]
    messages = [{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": task}]
    for _ in range(MAX_STEPS):
        message = ask_model(messages, tools)
        messages.append(message)
        calls = message.get("tool_calls") or []
        if not calls:
            return message.get("content") or ""
        # All calls are sent before the first answer is read: those that only read files run side by side.
        answers = [(call["id"], start_call(server, call)) for call in calls]
        for call_id, answer in answers:
            messages.append({"role": "tool", "tool_call_id": call_id, "content": result_text(answer)})
    raise AgentError(f"There is no answer after {MAX_STEPS} steps.")


def main():
    parser = argparse.ArgumentParser(description="Works on a folder with the tools of Roundtrip Studio.")
    parser.add_argument("folder", help="the folder to work on")
    parser.add_argument("task", help="what to do")
    arguments = parser.parse_args()
    if not os.environ.get("MODEL"):
        parser.error("set MODEL to the id of a model, and OPENAI_BASE_URL and OPENAI_API_KEY to where it is")
    try:
        with ToolServer(arguments.folder) as server:
            print(run(server, arguments.task))
    except (AgentError, OSError) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
