"""Serves one recording of MPEG-TS by RTSP at /live, everybody the same, with gst-rtsp-server.

Arguments: the recording, the port, `tcp` or `udp`. Says `ready`, and then each fact on a line of its own.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402


def say(*words):
    print(*words, flush=True)


def session_of(context):
    return context.session.get_sessionid() if context.session else "-"


def connected(_, client):
    say("client-connected", client.get_connection().get_ip())
    for name in ("describe", "setup", "play", "teardown"):
        client.connect(f"{name}-request", lambda _, context, name=name: say(f"{name}-request", session_of(context)))
    client.connect("closed", lambda _: say("closed"))


def main():
    recording, port, way = sys.argv[1:]
    Gst.init(None)
    ways = {"tcp": GstRtsp.RTSPLowerTrans.TCP, "udp": GstRtsp.RTSPLowerTrans.UDP}
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(f"( filesrc location={recording} ! tsparse set-timestamps=true ! rtpmp2tpay name=pay0 pt=33 )")
    factory.set_shared(True)
    factory.set_protocols(ways[way])
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(port)
    server.get_mount_points().add_factory("/live", factory)
    server.connect("client-connected", connected)
    server.attach(None)
    say("ready")
    # What was not kept up for its timeout goes.
    GLib.timeout_add_seconds(2, lambda: server.get_session_pool().cleanup() >= 0)
    GLib.MainLoop().run()


main()
